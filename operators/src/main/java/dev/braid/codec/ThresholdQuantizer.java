package dev.braid.codec;

import dev.braid.vector.Range;

/**
 * Takes from a vector what is large: of each element at or beyond the threshold τ it takes +τ or
 * −τ, once, and leaves the rest as the residual. τ is the same for all elements, so that a sign is
 * all that has to be sent of each.
 *
 * <p>{@link #takeWithHalves} takes −τ/2 as well, of elements in (−τ, −τ/2]: Deeplearning4j's bitmap
 * has a fourth state to spare, and uses it so.
 *
 * <p>NaN and infinite elements are refused: nothing could be taken of them that leaves a residual.
 */
public final class ThresholdQuantizer {

  /** Elements that are looked at together: most blocks have none that is taken. */
  private static final int BLOCK = 16;

  private ThresholdQuantizer() {}

  /**
   * Takes what is at or beyond the threshold.
   *
   * @param vector what is not sent yet; the residual afterwards
   * @param tau more than 0 and finite
   * @param taken what was taken; its former values are forgotten
   * @throws NotFiniteException if an element is not finite; the vector is of no use then
   */
  public static void take(float[] vector, Range range, float tau, SparseValues taken) {
    check(tau);
    taken.clear();
    int i = range.start();
    for (; i + BLOCK <= range.end(); i += BLOCK) {
      if (hasBeyond(vector, i, tau)) {
        take(vector, i, i + BLOCK, tau, taken);
      }
    }
    take(vector, i, range.end(), tau, taken);
  }

  /**
   * Whether an element of a block is at or beyond the threshold, or no number. Absolute values are
   * in the order of their bits, NaN beyond all others; a difference that is negative shows in the
   * sign.
   */
  private static boolean hasBeyond(float[] vector, int start, float tau) {
    int below = Float.floatToRawIntBits(tau) - 1;
    int differences = 0;
    for (int i = start; i < start + BLOCK; i++) {
      differences |= below - LargestSizes.bits(vector[i]);
    }
    return differences < 0;
  }

  private static void take(float[] vector, int start, int end, float tau, SparseValues taken) {
    for (int i = start; i < end; i++) {
      float value = vector[i];
      // Not: at least tau, which NaN is not either.
      if (!(Math.abs(value) < tau)) {
        vector[i] = take(i, finite(value), Math.copySign(tau, value), taken);
      }
    }
  }

  /** The same, and −τ/2 of what is smaller than τ and at or beyond that. */
  public static void takeWithHalves(float[] vector, Range range, float tau, SparseValues taken) {
    check(tau);
    taken.clear();
    float half = tau / 2;
    for (int i = range.start(); i < range.end(); i++) {
      float value = vector[i];
      if (!(-half < value && value < tau)) {
        float quantized = Math.abs(value) < tau ? -half : Math.copySign(tau, value);
        vector[i] = take(i, finite(value), quantized, taken);
      }
    }
  }

  /**
   * Takes of the sum of two vectors what is at or beyond the threshold, and changes neither: who
   * calls adds one to the other, and takes off what was taken, when it is sent. So the sum is
   * looked at in one pass, and written nowhere.
   *
   * @param taken what was taken; its former values are forgotten
   * @throws NotFiniteException if an element is not finite; what was taken is of no use then
   */
  public static void takeOfSum(
      float[] kept, float[] added, Range range, float tau, SparseValues taken) {
    check(tau);
    taken.clear();
    for (int i = range.start(); i < range.end(); i++) {
      float value = kept[i] + added[i];
      if (!(Math.abs(value) < tau)) {
        taken.put(i, Math.copySign(tau, finite(value)));
      }
    }
  }

  /** The same, and −τ/2 of what is smaller than τ and at or beyond that. */
  public static void takeOfSumWithHalves(
      float[] kept, float[] added, Range range, float tau, SparseValues taken) {
    check(tau);
    taken.clear();
    float half = tau / 2;
    for (int i = range.start(); i < range.end(); i++) {
      float value = kept[i] + added[i];
      if (!(-half < value && value < tau)) {
        finite(value);
        taken.put(i, Math.abs(value) < tau ? -half : Math.copySign(tau, value));
      }
    }
  }

  /** Returns what is left. */
  private static float take(int index, float value, float quantized, SparseValues taken) {
    taken.put(index, quantized);
    return value - quantized;
  }

  private static float finite(float value) {
    if (!Float.isFinite(value)) {
      throw new NotFiniteException();
    }
    return value;
  }

  private static void check(float tau) {
    if (!(tau / 2 > 0) || Float.isInfinite(tau)) {
      throw new IllegalArgumentException("threshold " + tau + ": a number above 0 is needed");
    }
  }
}
