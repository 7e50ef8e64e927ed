package dev.braid.codec;

import dev.braid.vector.Range;

/**
 * A block of values as whole multiples of a power of two, the unit. Multiples are Golomb-Rice
 * coded, the ones near 0 in the fewest bits. The encoder chooses a k that is within a few percent
 * of the best (Weinberger, Seroussi and Sapiro, "The LOCO-I lossless image compression algorithm",
 * 2000, Section III). Values without such a form, and those that would take more bits in it, keep
 * their 32 bits.
 */
final class FixedPointBlock {

  /** Number of elements in a block; the last may be shorter. */
  static final int LENGTH = 64;

  static final int K_BITS = 5;
  static final int UNIT_BITS = 9;

  /** The k of a block whose elements all have 32 bits. */
  static final int RAW = (1 << K_BITS) - 1;

  /** The k of a block without values. */
  static final int EMPTY = RAW - 1;

  /** Greatest k: a code is a multiple of at most 24 bits, and a bit for its sign. */
  static final int MOST_K = 24;

  /** Greatest code of a multiple. */
  static final int MOST_CODE = (1 << (MOST_K + 1)) - 1;

  /** Exponent of the smallest power of two that is a float. */
  static final int LEAST_UNIT = Float.MIN_EXPONENT - 23;

  private static final int FRACTION_BITS = 23;
  private static final int EXPONENT_MASK = 0xFF;

  private final float[] values = new float[LENGTH];
  private final int[] codes = new int[LENGTH];

  private int length;
  private int low;
  private int k;

  /**
   * Sets the block to the values of its elements.
   *
   * @param place place of the first value
   * @param to place after the last value of all blocks
   * @return the place after the block's last value
   */
  int set(SparseValues from, int place, int to, Range elements) {
    length = elements.length();
    int next = place;
    for (int i = 0; i < length; i++) {
      boolean isThere = next < to && from.index(next) == elements.start() + i;
      values[i] = isThere ? from.value(next++) : 0;
    }
    k = next == place ? EMPTY : code();
    return next;
  }

  /** Computes the codes of all values and returns k. */
  private int code() {
    low = Integer.MAX_VALUE;
    int top = Integer.MIN_VALUE;
    for (int i = 0; i < length; i++) {
      int bits = Float.floatToRawIntBits(values[i]);
      if (bits != 0) {
        int significand = significand(bits);
        if (exponent(bits) == EXPONENT_MASK || significand == 0) {
          // Infinity, NaN and -0 are no multiples of anything.
          return RAW;
        }
        int unit = unit(bits);
        low = Math.min(low, unit + Integer.numberOfTrailingZeros(significand));
        top = Math.max(top, unit + Integer.SIZE - Integer.numberOfLeadingZeros(significand));
      }
    }
    if (top <= low) {
      return EMPTY;
    }
    return top - low > MOST_K ? RAW : bestK();
  }

  private int bestK() {
    long sum = 0;
    for (int i = 0; i < length; i++) {
      codes[i] = code(Float.floatToRawIntBits(values[i]));
      sum += codes[i];
    }
    int best = 0;
    while ((long) length << (best + 1) <= sum) {
      best++;
    }
    long bits = (long) length * (best + 1);
    for (int i = 0; i < length; i++) {
      bits += codes[i] >>> best;
    }
    return bits < (long) Float.SIZE * length ? best : RAW;
  }

  /** Returns the code of a multiple: 0 for 0, 1 for −1, 2 for 1, 3 for −2, … */
  private int code(int bits) {
    int shift = unit(bits) - low;
    int significand = significand(bits);
    int multiple = shift < 0 ? significand >>> -shift : significand << shift;
    return bits < 0 ? 2 * multiple - 1 : 2 * multiple;
  }

  /** Returns the multiple that a code stands for. */
  static int multiple(int code) {
    return (code >>> 1) ^ -(code & 1);
  }

  private static int exponent(int bits) {
    return (bits >>> FRACTION_BITS) & EXPONENT_MASK;
  }

  /** Returns the exponent of the power of two of which the significand counts how many. */
  private static int unit(int bits) {
    return LEAST_UNIT + Math.max(0, exponent(bits) - 1);
  }

  private static int significand(int bits) {
    int fraction = bits & ((1 << FRACTION_BITS) - 1);
    return exponent(bits) == 0 ? fraction : fraction | 1 << FRACTION_BITS;
  }

  void write(BitWriter out) {
    out.write(k, K_BITS);
    if (k == RAW) {
      for (int i = 0; i < length; i++) {
        out.write(Float.floatToRawIntBits(values[i]), Float.SIZE);
      }
    } else if (k != EMPTY) {
      out.write(low - LEAST_UNIT, UNIT_BITS);
      for (int i = 0; i < length; i++) {
        out.writeUnary(codes[i] >>> k);
        out.write(codes[i], k);
      }
    }
  }
}
