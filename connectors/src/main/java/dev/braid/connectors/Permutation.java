package dev.braid.connectors;

/**
 * The order in which an epoch goes through the samples: a Fisher-Yates shuffle, drawn from the seed
 * and the epoch, so that every reader computes the same one for itself and none is ever stored.
 *
 * <p>The generator is SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number
 * generators", OOPSLA 2014), written out here because checkpoints outlive a JVM: positions in them
 * mean the same samples only while the order is the same, and the JDK does not promise the sequence
 * of its generators.
 */
final class Permutation {

  private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

  private Permutation() {}

  /**
   * The ids of {@code samples} samples in the order of an epoch.
   *
   * @param samples how many samples there are
   * @param seed the seed of the run
   * @param epoch the epoch, from 0
   */
  static int[] of(int samples, long seed, int epoch) {
    int[] ids = new int[samples];
    for (int i = 0; i < samples; i++) {
      ids[i] = i;
    }
    // Mixed twice, so that neighbouring seeds and epochs do not share stretches of the sequence.
    long state = mix(mix(seed + GOLDEN_GAMMA) + (epoch + 1) * GOLDEN_GAMMA);
    for (int i = samples - 1; i > 0; i--) {
      state += GOLDEN_GAMMA;
      // The high half of a product with 32 random bits: biased by less than 2^-32 x samples.
      int j = (int) (((mix(state) >>> 32) * (i + 1L)) >>> 32);
      int swapped = ids[i];
      ids[i] = ids[j];
      ids[j] = swapped;
    }
    return ids;
  }

  private static long mix(long value) {
    long z = value;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
