package dev.braid.run.result;

import dev.braid.learner.math.MathKernels;
import java.util.List;

/**
 * Workers whose gradients have the same bits for the same model and batch.
 *
 * @param kernels kernels that decide the bits
 * @param workers ranks of the workers
 * @param hosts hosts of the workers
 * @param before whether these kernels were only in use before the checkpoint that the run resumed
 *     from
 */
public record MathUse(
    MathKernels kernels, List<Integer> workers, List<String> hosts, boolean before) {

  /** Returns a copy that is marked as in use before a checkpoint. */
  MathUse past() {
    return new MathUse(kernels, workers, hosts, true);
  }

  private String describe() {
    return "workers " + workers + " on " + String.join(", ", hosts) + ": " + kernels.describe();
  }

  /** Describes several uses in one line, for people. */
  static String describe(List<MathUse> uses) {
    return String.join("; ", uses.stream().map(MathUse::describe).toList());
  }
}
