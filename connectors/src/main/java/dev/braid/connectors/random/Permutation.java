package dev.braid.connectors.random;

/**
 * The order in which an epoch goes through the samples: a Fisher-Yates shuffle, drawn from the seed
 * and the epoch, so that every reader computes the same one for itself and none is ever stored.
 *
 * <p>The generator is {@link SplitMix}'s: positions in checkpoints mean the same samples only while
 * the order is the same.
 */
public final class Permutation {

  private Permutation() {}

  /**
   * The ids of {@code samples} samples in the order of an epoch.
   *
   * @param samples how many samples there are
   * @param seed the seed of the run
   * @param epoch the epoch, from 0
   */
  public static int[] of(int samples, long seed, int epoch) {
    int[] ids = new int[samples];
    for (int i = 0; i < samples; i++) {
      ids[i] = i;
    }
    // Mixed twice, so that neighbouring seeds and epochs do not share stretches of the sequence.
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
