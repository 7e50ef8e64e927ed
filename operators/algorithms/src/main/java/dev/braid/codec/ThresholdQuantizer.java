package dev.braid.codec;

import dev.braid.vector.Range;

/**
 * Takes the large elements of a vector: +τ or −τ, once, from each element at or beyond the
 * threshold τ. The rest is the residual. τ is the same for all elements, so only an index and a
 * sign must be sent for each.
 *
 * <p>{@link #takeWithHalves} also takes −τ/2 from elements in (−τ, −τ/2]. Deeplearning4j's bitmap
 * has a spare fourth state, which it uses for this.
 *
 * <p>NaN and infinite elements are refused: nothing that could be taken from them would leave a
 * residual.
 */
public final class ThresholdQuantizer {

  /** Number of elements that are tested together: most blocks have none that is taken. */
  private static final int BLOCK = 16;

  private ThresholdQuantizer() {}

  /**
   * Takes elements of the sum of two vectors that are at or beyond the threshold, and changes
   * neither vector. The caller adds one vector to the other, and subtracts what was taken, when it
   * is sent. So the sum is computed in one pass, and stored nowhere.
   *
   * @param kept the residual
   * @param added the gradient since
   * @param tau more than 0 and finite
   * @param taken receives the elements taken; its former values are discarded
   * @throws NotFiniteException if an element is not finite; the content of {@code taken} is then
   *     undefined
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
   * Returns whether an element of a block is at or beyond the threshold, or NaN. Absolute values
   * are in the order of their bits, NaN after all others. A negative difference shows in the sign
   * bit.
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
      // This is not "at least tau", because that is false for NaN.
      if (!(Math.abs(value) < tau)) {
        taken.put(i, Math.copySign(tau, finite(value)));
      }
    }
  }

  /**
   * Takes elements as {@link #take(float[], float[], Range, float, SparseValues)} does, and −τ/2
   * from elements in (−τ, −τ/2].
   */
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
      throw new IllegalArgumentException("threshold " + tau + ": must be a number above 0");
    }
  }
}
