package dev.braid.codec;

import dev.braid.vector.Range;
import java.util.Arrays;

/**
 * Finds the k-th largest absolute value of a vector, from the bits of its elements, which are in
 * the order of the values: from counts of the upper 11 bits, then the next 10, then the last. So it
 * takes three passes however the values are spread, where quickselect takes a copy and luck. An
 * instance belongs to one thread.
 */
final class LargestSizes {

  private static final int TOP_SHIFT = 20;
  private static final int MIDDLE_SHIFT = 10;
  private static final int LOW_MASK = (1 << MIDDLE_SHIFT) - 1;

  /** The upper bits of what is infinite or NaN, and of nothing else. */
  private static final int NOT_FINITE =
      Float.floatToRawIntBits(Float.POSITIVE_INFINITY) >>> TOP_SHIFT;

  private final int[] counts = new int[1 << 11];

  /**
   * What was found.
   *
   * @param bits of the k-th largest absolute value, as a float
   * @param ofIt how many elements of just this size are among the k largest
   */
  record Kth(int bits, int ofIt) {
    float value() {
      return Float.intBitsToFloat(bits);
    }
  }

  /** An absolute value as a number that is larger where the value is. */
  static int bits(float value) {
    return Float.floatToRawIntBits(value) & 0x7FFFFFFF;
  }

  /**
   * Looks at all elements of a range.
   *
   * @param k from 1 to their number
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
   * Counts elements by some of their bits, and finds the bits of the {@code wanted}th largest.
   *
   * @param prefix only elements with these upper bits count
   * @param prefixShift where those begin; −1 if all count
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
