package dev.braid.chaos.sim.condition;

import java.util.SplittableRandom;

/**
 * Random sources that depend on what they are for and not on who asked before: the draw for rank 3
 * in round 7 is the same whatever else is drawn, so that two runs can be compared.
 */
public final class Seeds {

  /** 2^64 / golden ratio, odd: spreads neighbouring numbers over all bits. */
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private Seeds() {}

  /** A source for what the seed and the numbers of its purpose say. */
  public static SplittableRandom of(long seed, long... purpose) {
    long mixed = seed;
    for (long part : purpose) {
      mixed = mix(mixed, part);
    }
    return new SplittableRandom(mixed);
  }

  /** The finisher of MurmurHash3 over both. */
  public static long mix(long state, long next) {
    long z = (state + GOLDEN) ^ (next * GOLDEN);
    z = (z ^ (z >>> 33)) * 0xFF51AFD7ED558CCDL;
    z = (z ^ (z >>> 33)) * 0xC4CEB9FE1A85EC53L;
    return z ^ (z >>> 33);
  }

  /** Two numbers packed into one. */
  public static long pair(int first, int second) {
    return (long) first << 32 | second;
  }

  /** A number from {@code least} to {@code greatest}, both included. */
  public static long between(SplittableRandom random, long least, long greatest) {
    return least == greatest ? least : random.nextLong(least, greatest + 1);
  }
}
