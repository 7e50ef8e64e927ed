package dev.braid.codec;

import dev.braid.vector.Range;

/**
 * Takes of a vector what is large: of each element at or beyond the threshold τ +τ or −τ, once; the
 * rest is the residual. τ is the same for all elements, so that a sign is all that has to be sent
 * of each.
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
   * Takes of the sum of two vectors what is at or beyond the threshold, and changes neither: who
   * calls adds one to the other, and takes off what was taken, when it is sent. So the sum is
   * looked at in one pass, and written nowhere.
   *
   * @param kept what was not sent before
   * @param added what has come since
   * @param tau more than 0 and finite
   * @param taken what was taken; its former values are forgotten
   * @throws NotFiniteException if an element is not finite; what was taken is of no use then
   */
  public static void take(float[] kept, float[] added, Range range, float tau, SparseValues taken) {
    check(tau);
    taken.clear();
    int i = range.start();
    for (; i + BLOCK <= range.end(); i += BLOCK) {
      if (hasBeyond(kept, added, i, tau)) {
        take(kept, added, i, i + BLOCK, tau, taken);
      }
    }
    take(kept, added, i, range.end(), tau, taken);
  }

  /**
   * Whether an element of a block is at or beyond the threshold, or no number. Absolute values are
   * in the order of their bits, NaN beyond all others; a difference that is negative shows in the
   * sign.
   */
  private static boolean hasBeyond(float[] kept, float[] added, int start, float tau) {
    int below = Float.floatToRawIntBits(tau) - 1;
    int differences = 0;
    for (int i = start; i < start + BLOCK; i++) {
      differences |= below - LargestSizes.bits(kept[i] + added[i]);
    }
    return differences < 0;
  }

  private static void take(
      float[] kept, float[] added, int start, int end, float tau, SparseValues taken) {
    for (int i = start; i < end; i++) {
      float value = kept[i] + added[i];
      // Not: at least tau, which NaN is not either.
      if (!(Math.abs(value) < tau)) {
        taken.put(i, Math.copySign(tau, finite(value)));
      }
    }
  }

  /** The same, and −τ/2 of what is smaller than τ and at or beyond that. */
  public static void takeWithHalves(
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
