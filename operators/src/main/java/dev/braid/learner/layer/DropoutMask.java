package dev.braid.learner.layer;

import dev.braid.learner.structure.ImageShape;

/**
 * Which numbers of a sample a dropout keeps. It depends on the model's seed, the layer, the epoch
 * and the sample, and on nothing else: a gradient stays a pure function of weights and batch, with
 * the same bits after a recovery, and a sample is treated alike whichever worker has it and
 * whatever else is in its batch.
 */
public final class DropoutMask {

  private static final int BITS = 24;

  private final long seed;
  private final int limit;
  private final float scale;

  private int low;
  private int high;

  /**
   * The mask of one layer.
   *
   * @param seed the model's
   * @param layer the layer's index in the model
   * @param keep the probability that a number is kept, more than 0 and at most 1; what is kept is
   *     divided by it, so that sums stay the same on average
   */
  public DropoutMask(long seed, int layer, double keep) {
    this.seed = mix(mix(seed) + layer);
    this.limit = (int) Math.round(keep * (1 << BITS));
    this.scale = (float) (1 / keep);
  }

  /** Goes to a sample. */
  public void of(int epoch, int id) {
    long state = mix(mix(seed + epoch) + id);
    low = (int) state;
    high = (int) (state >>> 32);
  }

  /** What the sample's number at this index is multiplied by. */
  float at(int index) {
    return bits(index, low, high) >>> (32 - BITS) < limit ? scale : 0;
  }

  /**
   * Writes what the sample's numbers are multiplied by.
   *
   * @param mask as images lie, pixel by pixel; indices count channel by channel, as
   *     Deeplearning4j's arrays do
   */
  public void write(ImageShape shape, float[] mask, int start) {
    int pixels = shape.height() * shape.width();
    for (int p = 0; p < pixels; p++) {
      for (int c = 0; c < shape.channels(); c++) {
        mask[start + p * shape.channels() + c] = at(c * pixels + p);
      }
    }
  }

  /** A hash of 32 bits, after the finaliser of MurmurHash3. */
  private static int bits(int index, int low, int high) {
    int bits = index * 0x9E3779B9 + low;
    bits = (bits ^ bits >>> 16) * 0x85EBCA6B;
    bits = ((bits ^ bits >>> 13) + high) * 0xC2B2AE35;
    return bits ^ bits >>> 16;
  }

  /** The finaliser of SplitMix64, so that neighbours have nothing in common. */
  private static long mix(long value) {
    long bits = value + 0x9E3779B97F4A7C15L;
    bits = (bits ^ bits >>> 30) * 0xBF58476D1CE4E5B9L;
    bits = (bits ^ bits >>> 27) * 0x94D049BB133111EBL;
    return bits ^ bits >>> 31;
  }
}
