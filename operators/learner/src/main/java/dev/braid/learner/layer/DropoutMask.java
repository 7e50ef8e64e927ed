package dev.braid.learner.layer;

import dev.braid.learner.structure.ImageShape;

/**
 * The choice of a sample's values that a dropout keeps. It depends only on the model's seed, the
 * layer, the epoch and the sample. A gradient therefore remains a pure function of weights and
 * batch, with the same bits after a recovery. A sample is treated alike on every worker and in
 * every batch.
 */
public final class DropoutMask {

  private static final int BITS = 24;

  private final long seed;
  private final int limit;
  private final float scale;

  private int low;
  private int high;

  /**
   * Creates the mask of one layer.
   *
   * @param seed the model's seed
   * @param layer the layer's index in the model
   * @param keep the probability that a value is kept, {@code 0 < keep <= 1}; kept values are
   *     divided by it, so that sums stay the same on average
   */
  public DropoutMask(long seed, int layer, double keep) {
    this.seed = mix(mix(seed) + layer);
    this.limit = (int) Math.round(keep * (1 << BITS));
    this.scale = (float) (1 / keep);
  }

  /** Selects a sample. */
  public void of(int epoch, int id) {
    long state = mix(mix(seed + epoch) + id);
    low = (int) state;
    high = (int) (state >>> 32);
  }

  /** Returns the factor of the selected sample's value at this index. */
  float at(int index) {
    return bits(index, low, high) >>> (32 - BITS) < limit ? scale : 0;
  }

  /**
   * Writes the factors of the selected sample's values.
   *
   * @param mask written pixel by pixel, the order of images; indices count channel by channel, as
   *     in Deeplearning4j's arrays
   */
  public void write(ImageShape shape, float[] mask, int start) {
    int pixels = shape.height() * shape.width();
    for (int p = 0; p < pixels; p++) {
      for (int c = 0; c < shape.channels(); c++) {
        mask[start + p * shape.channels() + c] = at(c * pixels + p);
      }
    }
  }

  /** Returns a hash of 32 bits, after the finaliser of MurmurHash3. */
  private static int bits(int index, int low, int high) {
    int bits = index * 0x9E3779B9 + low;
    bits = (bits ^ bits >>> 16) * 0x85EBCA6B;
    bits = ((bits ^ bits >>> 13) + high) * 0xC2B2AE35;
    return bits ^ bits >>> 16;
  }

  /**
   * Mixes bits by the finaliser of SplitMix64, so that neighbouring values give unrelated results.
   */
  private static long mix(long value) {
    long bits = value + 0x9E3779B97F4A7C15L;
    bits = (bits ^ bits >>> 30) * 0xBF58476D1CE4E5B9L;
    bits = (bits ^ bits >>> 27) * 0x94D049BB133111EBL;
    return bits ^ bits >>> 31;
  }
}
