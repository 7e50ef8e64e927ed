package dev.braid.connectors.random;

/**
 * SplitMix64's way to mix bits (Steele, Lea, Flood, "Fast splittable pseudorandom number
 * generators", OOPSLA 2014), written out here because checkpoints outlive a JVM: what was drawn
 * before one has to be drawn again after it, and the JDK does not promise the sequence of its
 * generators.
 */
public final class SplitMix {

  public static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

  private SplitMix() {}

  public static long mix(long value) {
    long z = value;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /**
   * A number from 0 to {@code bound - 1}: the high half of a product with 32 random bits, biased by
   * less than 2^-32 x bound.
   */
  public static int below(int bound, long mixed) {
    return (int) (((mixed >>> 32) * bound) >>> 32);
  }
}
