package dev.braid.connectors.random;

/**
 * The bit mixing of SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number
 * generators", OOPSLA 2014). It is implemented here because checkpoints outlive a JVM: a restored
 * run must get the same random numbers, and the JDK does not guarantee the sequence of its
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
   * Returns a number from 0 to {@code bound - 1}: the high half of a product with 32 random bits,
   * with a bias of less than 2^-32 x bound.
   */
  public static int below(int bound, long mixed) {
    return (int) (((mixed >>> 32) * bound) >>> 32);
  }
}
