package dev.braid.chaos.sim.condition;

import java.util.SplittableRandom;

/**
 * Random sources that depend on their purpose instead of on earlier calls: the draw for rank 3 in
 * round 7 is the same whatever else is drawn, so that two runs can be compared.
 */
public final class Seeds {

  /** 2^64 / golden ratio, odd: spreads neighbouring numbers over all bits. */
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private Seeds() {}

  /** Returns a source that depends on the seed and the numbers of its purpose. */
  public static SplittableRandom of(long seed, long... purpose) {
    long mixed = seed;
    for (long part : purpose) {
      mixed = mix(mixed, part);
    }
    return new SplittableRandom(mixed);
  }

  /** Returns both numbers mixed by the finisher of MurmurHash3. */
  public static long mix(long state, long next) {
    long z = (state + GOLDEN) ^ (next * GOLDEN);
    z = (z ^ (z >>> 33)) * 0xFF51AFD7ED558CCDL;
    z = (z ^ (z >>> 33)) * 0xC4CEB9FE1A85EC53L;
    return z ^ (z >>> 33);
  }

  /** Returns two numbers packed into one. */
  public static long pair(int first, int second) {
    return (long) first << 32 | second;
  }

  /** Returns a random number from {@code least} to {@code greatest}, both included. */
  public static long between(SplittableRandom random, long least, long greatest) {
    return least == greatest ? least : random.nextLong(least, greatest + 1);
  }
}
