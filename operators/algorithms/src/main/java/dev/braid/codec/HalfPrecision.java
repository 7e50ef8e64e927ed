package dev.braid.codec;

/**
 * Floating-point values of 16 bits. A float32 is rounded to the nearest value; of two that are
 * equally near, to the even one.
 *
 * <p>{@link #BFLOAT16} has float32's exponents and 8 bits of precision. {@link #FLOAT16} (IEEE 754
 * binary16) has 11 bits of precision from 2<sup>−14</sup> to 65504. Below, all values are multiples
 * of 2<sup>−24</sup>, so values less than half of that become 0. Beyond its largest finite value,
 * either form has only infinity.
 *
 * <p>{@link #round} does not change a value that would become infinite. So nothing of it is lost,
 * and its sender finds that it needs another form. The alternative, a factor that brings all values
 * of a message into range, would make a rounded value depend on its neighbours. Ranks that divide
 * the same sum differently would then round it differently, and their models would differ.
 *
 * <p>No step branches on the size of a value: gradients have small and large elements in no order,
 * so a processor would mispredict half of the branches.
 */
public enum HalfPrecision {
  BFLOAT16("bf16", 0x1.FEp127f) {
    @Override
    public short encode(float value) {
      int bits = Float.floatToRawIntBits(value);
      if (Float.isNaN(value)) {
        // The payload of a NaN must not be rounded away.
        return (short) ((bits >>> 16) | 0x40);
      }
      return (short) (rounded(bits, 16) >>> 16);
    }

    @Override
    public float decode(short half) {
      return Float.intBitsToFloat(half << 16);
    }

    @Override
    public float round(float value) {
      float rounded = Float.intBitsToFloat(rounded(Float.floatToRawIntBits(value), 16) & -1 << 16);
      return Math.abs(value) < OVERFLOW_OF_BFLOAT16 ? rounded : value;
    }
  },

  FLOAT16("fp16", 65504) {
    @Override
    public short encode(float value) {
      int bits = Float.floatToRawIntBits(value);
      int sign = (bits >>> 16) & 0x8000;
      int size = bits & 0x7FFFFFFF;
      if (size > FLOAT_INFINITY) {
        return (short) (sign | 0x7E00);
      }
      if (size >= OVERFLOW_BITS) {
        return (short) (sign | 0x7C00);
      }
      // Adding 0.5 puts the last bit of the sum where a subnormal half has its last bit, so the sum
      // is rounded there.
      int subnormal = Float.floatToRawIntBits(Float.intBitsToFloat(size) + HALF) - HALF_BITS;
      int normal = rounded(size - REBIAS, 13) >>> 13;
      int isSubnormal = isLess(size, SMALLEST_NORMAL);
      return (short) (sign | (subnormal & isSubnormal) | (normal & ~isSubnormal));
    }

    @Override
    public float decode(short half) {
      int sign = (half & 0x8000) << 16;
      int size = half & 0x7FFF;
      int isSubnormal = isLess(size, 0x400);
      int isInfinite = isLess(0x7BFF, size);
      int exponents = REBIAS + (isSubnormal & ONE) + (isInfinite & REBIAS);
      // A subnormal half has no implicit leading 1, unlike the float of its bits: so it is
      // subtracted.
      float value =
          Float.intBitsToFloat((size << 13) + exponents)
              - Float.intBitsToFloat(isSubnormal & SMALLEST_NORMAL);
      return Float.intBitsToFloat(sign | Float.floatToRawIntBits(value));
    }

    @Override
    public float round(float value) {
      float size = Math.abs(value);
      // The addend is 2^13 times the power of two at or below the value. The last bit of a float of
      // that size is the last bit of a half of the value's size.
      int power = Float.floatToRawIntBits(size) & FLOAT_INFINITY;
      float added = Float.intBitsToFloat(Math.max(power, SMALLEST_NORMAL) + (13 << 23));
      float rounded = Math.copySign(size + added - added, value);
      return size < OVERFLOW ? rounded : value;
    }
  };

  private static final int FLOAT_INFINITY = 0x7F800000;

  /**
   * Smallest size that rounds to infinity as a bfloat16: the midpoint of the largest one and 2^128.
   */
  private static final float OVERFLOW_OF_BFLOAT16 = 0x1.FFp127f;

  /**
   * Smallest size that rounds to infinity as a float16: the midpoint of the largest one and 2^16.
   */
  private static final float OVERFLOW = 65520;

  private static final int OVERFLOW_BITS = Float.floatToRawIntBits(OVERFLOW);

  /** Difference between a float's and a half's exponent of the same value. */
  private static final int REBIAS = (127 - 15) << 23;

  /** The float32 bits of 2^−14, the smallest normal half. */
  private static final int SMALLEST_NORMAL = (127 - 14) << 23;

  /** A float from which on the last bit is 2^−24, as it is in a subnormal half. */
  private static final float HALF = 0.5f;

  private static final int HALF_BITS = Float.floatToRawIntBits(HALF);

  /** One unit of a float's exponent. */
  private static final int ONE = 1 << 23;

  private final String title;
  private final float largest;

  HalfPrecision(String title, float largest) {
    this.title = title;
    this.largest = largest;
  }

  /** Returns all ones if one number is less than the other, else 0. Neither may be negative. */
  private static int isLess(int one, int other) {
    return (one - other) >> 31;
  }

  /**
   * Returns bits whose last {@code dropped} will be cut off, raised so that the rest is rounded to
   * the nearest, ties to even.
   */
  private static int rounded(int bits, int dropped) {
    return bits + ((1 << (dropped - 1)) - 1) + ((bits >>> dropped) & 1);
  }

  /** Returns the name that users type. */
  public String title() {
    return title;
  }

  /** Returns the largest finite value. */
  public float largest() {
    return largest;
  }

  /** Returns the nearest value of 16 bits; infinity beyond the largest. */
  public abstract short encode(float value);

  /** Returns exactly the value of a half. */
  public abstract float decode(short half);

  /** Returns the nearest value of 16 bits, or {@code value} itself if the nearest is not finite. */
  public abstract float round(float value);

  /** Returns whether this form has exactly this value; any NaN counts as the same. */
  public boolean has(float value) {
    return Float.isNaN(value) || decode(encode(value)) == value;
  }
}
