package dev.braid.chaos.sim.suite;

import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.exchange.Contribution;
import dev.braid.vector.Range;
import dev.braid.vector.Vectors;

/**
 * Contributions multiplied by a factor, such that some elements, or some sums of them, exceed the
 * range of {@link dev.braid.codec.HalfPrecision#FLOAT16}, and others do not.
 */
record Enlarged(Gradients own, float factor) implements Gradients {

  /** Returns enlarged {@link Gradients#reals}, few of which are above 1/4 before. */
  static Gradients ofReals(Gradients own) {
    return new Enlarged(own, 0x1p18f);
  }

  /**
   * Returns enlarged {@link Gradients#wholeNumbers}, where the sum of several numbers may exceed
   * 1,024 before the multiplication.
   */
  static Gradients ofWholeNumbers(Gradients own) {
    return new Enlarged(own, 0x1p6f);
  }

  @Override
  public Contribution of(int rank, long round) {
    Contribution one = own.of(rank, round);
    float[] gradient = one.gradient().clone();
    Vectors.scale(gradient, factor, Range.ofLength(gradient.length));
    return new Contribution(one.round(), gradient, one.samples());
  }
}
