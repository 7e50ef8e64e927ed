package dev.braid.codec;

/**
 * Form of a block of values as whole multiples of a power of two, all with the same number of bits.
 * Elements without a value are 0.
 */
final class FixedPointBlock {

  /** Number of elements in a block; the last may be shorter. */
  static final int LENGTH = 64;

  static final int WIDTH_BITS = 5;
  static final int UNIT_BITS = 9;

  /** The width of a block whose elements all have 32 bits, as it has no fixed-point form. */
  static final int RAW = (1 << WIDTH_BITS) - 1;

  /** The least and the greatest width of a block with values: a sign, and 1 to 24 bits. */
  static final int LEAST_WIDTH = 2;

  static final int MOST_WIDTH = 25;

  /** Exponent of the smallest power of two that is a float. */
  static final int LEAST_UNIT = Float.MIN_EXPONENT - 23;

  private static final int FRACTION_BITS = 23;
  private static final int EXPONENT_MASK = 0xFF;

  private int low;
  private int top;
  private boolean isRaw;
  private boolean isEmpty;

  /** Sets the block to the values from one place to another. */
  void set(SparseValues values, int from, int to) {
    low = Integer.MAX_VALUE;
    top = Integer.MIN_VALUE;
    isRaw = false;
    isEmpty = true;
    for (int i = from; i < to; i++) {
      include(Float.floatToRawIntBits(values.value(i)));
    }
    isRaw |= !isEmpty && top - low + LEAST_WIDTH > MOST_WIDTH;
  }

  private void include(int bits) {
    int significand = significand(bits);
    if (bits == 0) {
      return;
    }
    isEmpty = false;
    // Infinity, NaN and -0 are no multiples of anything.
    isRaw |= exponent(bits) == EXPONENT_MASK || significand == 0;
    low = Math.min(low, unit(bits) + Integer.numberOfTrailingZeros(significand));
    top = Math.max(top, unit(bits) + Integer.SIZE - 1 - Integer.numberOfLeadingZeros(significand));
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

  /** Returns the number of bits of each element, {@link #RAW}, or 0 if the block has no values. */
  int width() {
    if (isRaw) {
      return RAW;
    }
    return isEmpty ? 0 : top - low + LEAST_WIDTH;
  }

  /** Returns the number of bits of a block of some elements. */
  long bits(int elements) {
    return switch (width()) {
      case 0 -> WIDTH_BITS;
      case RAW -> WIDTH_BITS + (long) Float.SIZE * elements;
      default -> WIDTH_BITS + UNIT_BITS + (long) width() * elements;
    };
  }

  /** Writes what precedes the elements. */
  void writeHead(BitWriter out) {
    out.write(width(), WIDTH_BITS);
    if (width() >= LEAST_WIDTH && width() <= MOST_WIDTH) {
      out.write(low - LEAST_UNIT, UNIT_BITS);
    }
  }

  /** Writes an element; 0 is one without a value. */
  void write(float value, BitWriter out) {
    int bits = Float.floatToRawIntBits(value);
    if (isRaw) {
      out.write(bits, Float.SIZE);
    } else if (!isEmpty) {
      int shift = unit(bits) - low;
      int significand = significand(bits);
      int multiple = shift < 0 ? significand >>> -shift : significand << shift;
      out.write(bits < 0 ? -multiple : multiple, width());
    }
  }
}
