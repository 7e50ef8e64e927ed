package dev.braid.chaos.sim.suite;

import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.exchange.Contribution;
import dev.braid.vector.Range;
import dev.braid.vector.Vectors;

/**
 * What ranks contribute, times a factor: such that some elements, or some sums of them, are beyond
 * the range of {@link dev.braid.codec.HalfPrecision#FLOAT16}, and others are not.
 */
record Enlarged(Gradients own, float factor) implements Gradients {

  /** Of {@link Gradients#reals}, of which few are above 1/4. */
  static Gradients ofReals(Gradients own) {
    return new Enlarged(own, 0x1p18f);
  }

  /** Of {@link Gradients#wholeNumbers}, of which the sum of several may be above 1,024. */
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
