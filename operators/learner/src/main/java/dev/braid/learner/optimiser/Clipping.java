package dev.braid.learner.optimiser;

import java.io.Serializable;

/**
 * A bound on the size of a summed gradient. It applies to the mean gradient, between the sum and
 * the optimiser's step, so that all ranks clip the same values in the same way.
 */
public sealed interface Clipping extends Serializable {

  /** No clipping. */
  Clipping NONE = new None();

  /** No clipping; see {@link #NONE}. */
  record None() implements Clipping {}

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
    public String toString() {
      return "gradients clipped to norm " + UpdaterSpec.plain(limit);
    }
  }

  /**
   * Clipping by value: each element of a mean gradient is limited to between {@code -limit} and
   * {@code limit}.
   *
   * @param limit the largest absolute value
   */
  record ByValue(double limit) implements Clipping {
    public ByValue {
      check(limit);
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
