package dev.braid.codec;

/**
 * Values of 16 bits, rounded to the nearest, to the even one of two that are as near. {@link
 * #BFLOAT16} keeps float32's exponent and 8 bits of its precision; {@link #FLOAT16} (IEEE 754
 * binary16) has 11 bits, and only exponents from −24 to 15: smaller values become 0, larger ones
 * infinite. A gradient's elements are often below 2^−24, so that bfloat16 is what training takes.
 */
public enum HalfPrecision {
  BFLOAT16 {
    @Override
    public short encode(float value) {
      int bits = Float.floatToRawIntBits(value);
      if (Float.isNaN(value)) {
        // Its payload must not be rounded away.
        return (short) ((bits >>> 16) | 0x40);
      }
      return (short) ((bits + 0x7FFF + ((bits >>> 16) & 1)) >>> 16);
    }

    @Override
    public float decode(short half) {
      return Float.intBitsToFloat(half << 16);
    }
  },

  FLOAT16 {
    @Override
    public short encode(float value) {
      int bits = Float.floatToRawIntBits(value);
      int sign = (bits >>> 16) & 0x8000;
      int size = bits & 0x7FFFFFFF;
      if (size > FLOAT_INFINITY) {
        return (short) (sign | 0x7E00);
      }
      if (size >= OVERFLOW) {
        return (short) (sign | 0x7C00);
      }
      if (size < SMALLEST_NORMAL) {
        // What is added ends where the last bit of such a half is: the sum is rounded there.
        float rounded = Float.intBitsToFloat(size) + HALF;
        return (short) (sign | (Float.floatToRawIntBits(rounded) - Float.floatToRawIntBits(HALF)));
      }
      int rebiased = size - ((127 - 15) << 23);
      return (short) (sign | ((rebiased + 0xFFF + ((rebiased >>> 13) & 1)) >>> 13));
    }

    @Override
    public float decode(short half) {
      int sign = (half & 0x8000) << 16;
      int size = half & 0x7FFF;
      if (size >= 0x7C00) {
        return Float.intBitsToFloat(sign | FLOAT_INFINITY | ((size & 0x3FF) << 13));
      }
      float value =
          size < 0x400 ? size * SMALLEST : Float.intBitsToFloat((size << 13) + ((127 - 15) << 23));
      return Float.intBitsToFloat(sign | Float.floatToRawIntBits(value));
    }
  };

  private static final int FLOAT_INFINITY = 0x7F800000;

  /** 65520 and what is larger is nearer to 2^16 than to the largest half. */
  private static final int OVERFLOW = Float.floatToRawIntBits(65520f);

  /** 2^−14. */
  private static final int SMALLEST_NORMAL = (127 - 14) << 23;

  /** Where a float's last bit is 2^−24, which is that of a half that is not normal. */
  private static final float HALF = 0.5f;

  private static final float SMALLEST = 0x1p-24f;

  /** The nearest value of 16 bits. */
  public abstract short encode(float value);

  /** Exactly the same value. */
  public abstract float decode(short half);
}
