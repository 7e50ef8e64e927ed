package dev.braid.learner.optimiser;

import java.io.Serializable;

/**
 * A bound on the size of a summed gradient. It applies to the mean gradient, between the sum and
 * the optimiser's step, so that all ranks clip the same values in the same way.
 */
public sealed interface Clipping extends Serializable {

  /** No clipping. */
  Clipping NONE = new None();

  /**
   * Returns an optimiser that takes its steps along clipped gradients. It belongs to one thread.
   */
  Updater around(Updater updater);

  /** No clipping; see {@link #NONE}. */
  record None() implements Clipping {
    @Override
    public Updater around(Updater updater) {
      return updater;
    }
  }

  /**
   * Clipping by norm: a mean gradient that is longer than the limit is scaled to it, and keeps its
   * direction (Pascanu et al., "On the difficulty of training recurrent neural networks", 2013).
   * Each step must cover the whole vector.
   *
   * @param limit highest Euclidean length over all parameters
   */
  record ByNorm(double limit) implements Clipping {
    public ByNorm {
      check(limit);
    }

    @Override
    public Updater around(Updater updater) {
      return new ClippedUpdater.ByNorm(updater, limit);
    }

    @Override
    public String toString() {
      return "gradients clipped to norm " + UpdaterSpec.plain(limit);
    }
  }

  /**
   * Clipping by value: each element of a mean gradient is limited to between {@code -limit} and
   * {@code limit}.
   *
   * @param limit the largest absolute value
   * @param batch number of samples in a full batch if each rank's gradient is applied separately,
   *     because a step's samples are then those of all ranks (see {@code Update.GradientSum}); 0 if
   *     a step's gradient is the sum over all samples that the step names
   */
  record ByValue(double limit, int batch) implements Clipping {
    public ByValue {
      check(limit);
    }

    @Override
    public Updater around(Updater updater) {
      return new ClippedUpdater.ByValue(updater, limit, batch);
    }

    @Override
    public String toString() {
      return "gradients clipped to values of " + UpdaterSpec.plain(limit);
    }
  }

  private static void check(double limit) {
    if (!(limit > 0) || Double.isInfinite(limit)) {
      throw new IllegalArgumentException(
          "clipping to " + limit + ": must be a finite number above 0");
    }
  }
}
