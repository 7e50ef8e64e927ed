package dev.braid.codec;

/**
 * Values of 16 bits, each the nearest, and the even one of two that are as near.
 *
 * <p>{@link #BFLOAT16} has float32's exponents and 8 bits of precision. {@link #FLOAT16} (IEEE 754
 * binary16) has 11 bits from 2<sup>−14</sup> to 65504; below, all values are multiples of
 * 2<sup>−24</sup>, so that what is less than half of that becomes 0. Beyond its largest value
 * either has only infinity.
 *
 * <p>{@link #round} leaves what would become infinite as it is, so that nothing is lost of it and
 * whoever sends it finds that it needs another form. A factor for all values of a message, which
 * would bring them into range, would make a rounded value depend on its neighbours: ranks that cut
 * the same sum otherwise would round it otherwise, and their models would differ.
 *
 * <p>No step branches by what sizes there are: gradients have small and large elements in no order,
 * of which a processor would foretell half wrongly.
 */
public enum HalfPrecision {
  BFLOAT16("bf16", 0x1.FEp127f) {
    @Override
    public short encode(float value) {
      int bits = Float.floatToRawIntBits(value);
      if (Float.isNaN(value)) {
        // Its payload must not be rounded away.
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
      // What is added ends where the last bit of such a half is: the sum is rounded there.
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
      // A half that is not normal has no leading 1 to its bits, as a float has: it is subtracted.
      float value =
          Float.intBitsToFloat((size << 13) + exponents)
              - Float.intBitsToFloat(isSubnormal & SMALLEST_NORMAL);
      return Float.intBitsToFloat(sign | Float.floatToRawIntBits(value));
    }

    @Override
    public float round(float value) {
      float size = Math.abs(value);
      // 2^13 times the power of two below the value: a float's last bit there is a half's here.
      int power = Float.floatToRawIntBits(size) & FLOAT_INFINITY;
      float added = Float.intBitsToFloat(Math.max(power, SMALLEST_NORMAL) + (13 << 23));
      float rounded = Math.copySign(size + added - added, value);
      return size < OVERFLOW ? rounded : value;
    }
  };

  private static final int FLOAT_INFINITY = 0x7F800000;

  /** What is nearer to 2^128 than to the largest bfloat16. */
  private static final float OVERFLOW_OF_BFLOAT16 = 0x1.FFp127f;

  /** The same of 2^16 and the largest half. */
  private static final float OVERFLOW = 65520;

  private static final int OVERFLOW_BITS = Float.floatToRawIntBits(OVERFLOW);

  /** From a half's exponent to a float's. */
  private static final int REBIAS = (127 - 15) << 23;

  /** 2^−14. */
  private static final int SMALLEST_NORMAL = (127 - 14) << 23;

  /** Where a float's last bit is 2^−24, which is that of a half that is not normal. */
  private static final float HALF = 0.5f;

  private static final int HALF_BITS = Float.floatToRawIntBits(HALF);

  /** Of a float's exponent. */
  private static final int ONE = 1 << 23;

  private final String title;
  private final float largest;

  HalfPrecision(String title, float largest) {
    this.title = title;
    this.largest = largest;
  }

  /** All ones if one number, of neither sign, is less than another; else 0. */
  private static int isLess(int one, int other) {
    return (one - other) >> 31;
  }

  /** Bits of which the last so many are to be dropped, raised where the next larger is nearer. */
  private static int rounded(int bits, int dropped) {
    return bits + ((1 << (dropped - 1)) - 1) + ((bits >>> dropped) & 1);
  }

  /** As it is typed. */
  public String title() {
    return title;
  }

  /** The largest finite value. */
  public float largest() {
    return largest;
  }

  /** The nearest value of 16 bits, infinite beyond the largest. */
  public abstract short encode(float value);

  /** Exactly the same value. */
  public abstract float decode(short half);

  /** The nearest value of 16 bits; the same value where that is not finite. */
  public abstract float round(float value);

  /** Whether there is a half of exactly this value; any NaN stands for all. */
  public boolean has(float value) {
    return Float.isNaN(value) || decode(encode(value)) == value;
  }
}
