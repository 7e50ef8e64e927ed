package dev.braid.codec;

import dev.braid.vector.Range;

/**
 * Rounds elements to whole multiples of a step, −7 to 7, which 4 bits can hold. Each block of
 * {@value #BLOCK} elements has its own step, the power of two with which its largest element is 4
 * to 8 steps. Powers of two keep sums exact: the sums of several vectors are multiples of the
 * smallest step, and have few bits.
 */
public final class LevelQuantizer {

  /** Number of elements that have the same step. */
  static final int BLOCK = 512;

  private static final int MOST = 7;
  private static final int MOST_BITS = 3;

  private LevelQuantizer() {}

  /**
   * Takes a multiple of the step from each element of the sum of two vectors, and changes neither
   * vector.
   *
   * @param kept the residual
   * @param added the gradient since
   * @param taken receives the elements taken; its former values are discarded
   * @throws NotFiniteException if an element is not finite; the content of {@code taken} is then
   *     undefined
   */
  public static void take(float[] kept, float[] added, Range range, SparseValues taken) {
    taken.clear();
    for (int i = 0; i < range.chunks(BLOCK); i++) {
      Range block = range.chunk(i, BLOCK);
      float largest = largest(kept, added, block);
      if (largest > 0) {
        take(kept, added, block, step(largest), taken);
      }
    }
  }

  private static float largest(float[] kept, float[] added, Range block) {
    int largest = 0;
    for (int i = block.start(); i < block.end(); i++) {
      // Absolute values are in the order of their bits, infinity and NaN after all others.
      largest = Math.max(largest, LargestSizes.bits(kept[i] + added[i]));
    }
    float value = Float.intBitsToFloat(largest);
    if (!Float.isFinite(value)) {
      throw new NotFiniteException();
    }
    return value;
  }

  /** Returns the step, whose reciprocal is a float, too. Smaller elements stay in the residual. */
  private static float step(float largest) {
    int exponent = Math.getExponent(largest) - MOST_BITS + 1;
    return Math.scalb(1f, Math.max(Float.MIN_EXPONENT, exponent));
  }

  private static void take(
      float[] kept, float[] added, Range block, float step, SparseValues taken) {
    float reciprocal = 1 / step;
    for (int i = block.start(); i < block.end(); i++) {
      float steps = (float) Math.rint((kept[i] + added[i]) * reciprocal);
      if (steps != 0) {
        taken.put(i, step * Math.max(-MOST, Math.min(MOST, steps)));
      }
    }
  }
}
