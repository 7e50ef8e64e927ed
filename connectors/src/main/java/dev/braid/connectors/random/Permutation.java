package dev.braid.connectors.random;

/**
 * The order in which an epoch goes through the samples: a Fisher-Yates shuffle with random numbers
 * from the seed and the epoch. Every reader computes the same order independently, and no order is
 * stored.
 *
 * <p>Random numbers come from {@link SplitMix}: positions in checkpoints refer to the same samples
 * only if the order is the same.
 */
public final class Permutation {

  private Permutation() {}

  /**
   * Returns the ids of {@code samples} samples in the order of an epoch.
   *
   * @param samples number of samples
   * @param seed the seed of the run
   * @param epoch the epoch, from 0
   */
  public static int[] of(int samples, long seed, int epoch) {
    int[] ids = new int[samples];
    for (int i = 0; i < samples; i++) {
      ids[i] = i;
    }
    // Mixed twice, so that the sequences of neighbouring seeds and epochs do not overlap.
    long state =
        SplitMix.mix(
            SplitMix.mix(seed + SplitMix.GOLDEN_GAMMA) + (epoch + 1) * SplitMix.GOLDEN_GAMMA);
    for (int i = samples - 1; i > 0; i--) {
      state += SplitMix.GOLDEN_GAMMA;
      int j = SplitMix.below(i + 1, SplitMix.mix(state));
      int swapped = ids[i];
      ids[i] = ids[j];
      ids[j] = swapped;
    }
    return ids;
  }
}
