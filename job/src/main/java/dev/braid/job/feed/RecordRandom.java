package dev.braid.job.feed;

import dev.braid.connectors.random.SplitMix;

/**
 * Random numbers of one record, which depend only on the seed, the purpose and the record's number.
 * The numbers are the same on every JVM.
 */
final class RecordRandom {

  private static final double PER_DOUBLE = 0x1.0p-53;
  private static final float PER_FLOAT = 0x1.0p-24f;

  private long state;

  /**
   * Creates a generator.
   *
   * @param purpose distinguishes several generators of one seed
   * @param number the record's number
   */
  RecordRandom(long seed, long purpose, long number) {
    long start = SplitMix.mix(seed + purpose * SplitMix.GOLDEN_GAMMA);
    // Mixed again, because otherwise the sequences of two records would overlap.
    state = SplitMix.mix(start + number * SplitMix.GOLDEN_GAMMA);
  }

  private long next() {
    state += SplitMix.GOLDEN_GAMMA;
    return SplitMix.mix(state);
  }

  /** Returns a number x with 0 ≤ x &lt; 1. */
  double uniform() {
    return (next() >>> (Long.SIZE - 53)) * PER_DOUBLE;
  }

  /** Returns a number x with 0 ≤ x &lt; 1, a multiple of 2^-24. */
  float uniformFloat() {
    return (next() >>> (Long.SIZE - 24)) * PER_FLOAT;
  }

  /** Returns a number from the standard normal distribution. */
  double gaussian() {
    double radius = StrictMath.sqrt(-2 * StrictMath.log(1 - uniform()));
    return radius * StrictMath.cos(2 * Math.PI * uniform());
  }

  /** Returns true with a probability from 0 to 1. */
  boolean isTrue(double probability) {
    return uniform() < probability;
  }
}
