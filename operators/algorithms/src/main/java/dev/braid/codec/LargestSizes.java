package dev.braid.codec;

import dev.braid.vector.Range;
import java.util.Arrays;

/**
 * Finds the k-th largest absolute value of a vector. The bits of absolute values are in the order
 * of the values, so it counts elements by their upper 11 bits, then by the next 10, then by the
 * last 10. This takes three passes for any distribution of the values, where quickselect needs a
 * copy and depends on luck. An instance belongs to one thread.
 */
final class LargestSizes {

  private static final int TOP_SHIFT = 20;
  private static final int MIDDLE_SHIFT = 10;
  private static final int LOW_MASK = (1 << MIDDLE_SHIFT) - 1;

  /** The upper bits of infinite values and NaN, and of no other values. */
  private static final int NOT_FINITE =
      Float.floatToRawIntBits(Float.POSITIVE_INFINITY) >>> TOP_SHIFT;

  private final int[] counts = new int[1 << 11];

  /**
   * The k-th largest absolute value.
   *
   * @param bits its bits as a float
   * @param ofIt how many of the k largest elements have exactly this absolute value
   */
  record Kth(int bits, int ofIt) {
    float value() {
      return Float.intBitsToFloat(bits);
    }
  }

  /** Returns the bits of an absolute value, which are in the order of the values. */
  static int bits(float value) {
    return Float.floatToRawIntBits(value) & 0x7FFFFFFF;
  }

  /**
   * Finds the k-th largest absolute value of all elements of a range.
   *
   * @param k from 1 to the number of elements
   * @throws NotFiniteException if an element is not finite
   */
  Kth kth(float[] vector, Range range, int k) {
    int top = select(vector, range, TOP_SHIFT, 0, -1, k);
    if (countFrom(NOT_FINITE) > 0) {
      throw new NotFiniteException();
    }
    int left = k - countFrom(top + 1);
    int middle = select(vector, range, MIDDLE_SHIFT, top, TOP_SHIFT, left);
    left -= countFrom(middle + 1);
    int prefix = (top << (TOP_SHIFT - MIDDLE_SHIFT)) | middle;
    int low = select(vector, range, 0, prefix, MIDDLE_SHIFT, left);
    return new Kth((prefix << MIDDLE_SHIFT) | low, left - countFrom(low + 1));
  }

  /**
   * Counts elements by some of their bits, and returns these bits of the {@code wanted}th largest.
   *
   * @param prefix only elements with these upper bits count
   * @param prefixShift index of the lowest bit of the prefix; −1 if all elements count
   */
  private int select(
      float[] vector, Range range, int shift, int prefix, int prefixShift, int wanted) {
    Arrays.fill(counts, 0);
    int mask = shift == TOP_SHIFT ? counts.length - 1 : LOW_MASK;
    for (int i = range.start(); i < range.end(); i++) {
      int size = bits(vector[i]);
      if (prefixShift < 0 || size >>> prefixShift == prefix) {
        counts[(size >>> shift) & mask]++;
      }
    }
    int bits = counts.length - 1;
    for (int above = counts[bits]; above < wanted; above += counts[bits]) {
      bits--;
    }
    return bits;
  }

  private int countFrom(int bits) {
    int count = 0;
    for (int i = bits; i < counts.length; i++) {
      count += counts[i];
    }
    return count;
  }
}
