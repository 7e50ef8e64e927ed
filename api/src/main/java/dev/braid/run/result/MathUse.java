package dev.braid.run.result;

import dev.braid.learner.math.MathKernels;
import java.util.List;

/**
 * Workers whose gradients have the same bits for the same model and batch.
 *
 * @param kernels what decides them
 * @param workers by rank
 * @param hosts where they are
 * @param before whether it was so up to the checkpoint that the run went on from, and is no more
 */
public record MathUse(
    MathKernels kernels, List<Integer> workers, List<String> hosts, boolean before) {

  /** The same, of the time before a checkpoint. */
  MathUse past() {
    return new MathUse(kernels, workers, hosts, true);
  }

  private String describe() {
    return "workers " + workers + " on " + String.join(", ", hosts) + ": " + kernels.describe();
  }

  /** Several in a line, for people. */
  static String describe(List<MathUse> uses) {
    return String.join("; ", uses.stream().map(MathUse::describe).toList());
  }
}
