package dev.braid.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class HalfPrecisionTest {

  @ParameterizedTest
  @EnumSource
  void everyHalfComesBack(HalfPrecision form) {
    for (int bits = Short.MIN_VALUE; bits <= Short.MAX_VALUE; bits++) {
      float value = form.decode((short) bits);
      assertThat(form.has(value)).isTrue();
      if (Float.isNaN(value)) {
        assertThat(form.decode(form.encode(value))).isNaN();
        assertThat(form.round(value)).isNaN();
      } else {
        assertThat(form.encode(value)).isEqualTo((short) bits);
        assertThat(form.round(value)).isEqualTo(value);
      }
    }
  }

  /**
   * A float16 has a sign bit, five exponent bits and ten fraction bits (IEEE 754-2019, 3.4 and
   * 3.6).
   */
  @Test
  void everyFloat16HasItsValue() {
    for (int bits = 0; bits < 1 << 16; bits++) {
      int exponent = bits >>> 10 & 31;
      int fraction = bits & 1023;
      double expected =
          switch (exponent) {
            case 0 -> Math.scalb((double) fraction, -24);
            case 31 -> fraction == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
            default -> Math.scalb(1024.0 + fraction, exponent - 25);
          };
      double signed = bits >>> 15 == 0 ? expected : -expected;
      double decoded = HalfPrecision.FLOAT16.decode((short) bits);
      assertThat(Double.compare(decoded, signed)).as("%x", bits).isZero();
    }
  }

  /**
   * Checks that no neighbour of the result is nearer; of two equally near values, the even one is
   * the result.
   */
  @Property(tries = 500)
  void theNearestIsTaken(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (HalfPrecision form : HalfPrecision.values()) {
      for (int i = 0; i < 50; i++) {
        short some = (short) random.nextInt(0x7B00);
        float low = form.decode(some);
        float high = form.decode((short) (some + 1));
        float value = (float) (low + random.nextDouble() * ((double) high - low));
        checkBetween(form, some, value);
        checkBetween(form, some, (float) (((double) low + high) / 2));
      }
    }
  }

  /**
   * Checks all values that a single bit of a float decides: on either side of each middle, and on
   * it.
   */
  @ParameterizedTest
  @EnumSource
  void aroundEveryMiddleTheNearestIsTaken(HalfPrecision form) {
    for (int half = 0; form.decode((short) (half + 1)) <= form.largest(); half++) {
      float low = form.decode((short) half);
      float middle = (float) ((low + (double) form.decode((short) (half + 1))) / 2);
      checkBetween(form, half, middle);
      checkBetween(form, half, Math.nextUp(middle));
      checkBetween(form, half, Math.nextDown(middle));
      checkBetween(form, half, Math.nextUp(low));
    }
  }

  /**
   * Checks the encoding of a value between {@code half}, which is not negative, and the next half.
   */
  private static void checkBetween(HalfPrecision form, int half, float value) {
    double below = value - (double) form.decode((short) half);
    double above = (double) form.decode((short) (half + 1)) - value;
    boolean isLower = below == above ? half % 2 == 0 : below < above;
    int nearest = isLower ? half : half + 1;
    assertThat(form.encode(value)).isEqualTo((short) nearest);
    assertThat(form.encode(-value)).isEqualTo((short) (nearest | 0x8000));
    checkRounded(form, value);
    checkRounded(form, -value);
  }

  /**
   * Checks floats of arbitrary bits: rounding gives the value of the nearest half, if there is one.
   */
  @Property(tries = 500)
  void roundingIsEncodingAndDecoding(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (HalfPrecision form : HalfPrecision.values()) {
      for (int i = 0; i < 100; i++) {
        checkRounded(form, Float.intBitsToFloat(random.nextInt()));
      }
    }
  }

  private static void checkRounded(HalfPrecision form, float value) {
    float decoded = form.decode(form.encode(value));
    float rounded = form.round(value);
    if (Float.isInfinite(decoded)) {
      assertThat(Math.abs(rounded)).isGreaterThan(form.largest()).isEqualTo(Math.abs(value));
      assertThat(form.has(value)).isEqualTo(Float.isInfinite(value));
    } else {
      assertThat(Float.compare(rounded, decoded)).as("%s of %s", rounded, value).isZero();
      assertThat(form.has(rounded)).isTrue();
      assertThat(form.has(value)).isEqualTo(Float.compare(rounded, value) == 0);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "FLOAT16, 1, 3C00",
    "FLOAT16, -2, C000",
    "FLOAT16, 65504, 7BFF",
    "FLOAT16, 65519.99, 7BFF",
    "FLOAT16, 65520, 7C00",
    "FLOAT16, -Infinity, FC00",
    "FLOAT16, 5.9604645e-8, 1",
    "FLOAT16, 2.9802326e-8, 1",
    "FLOAT16, 2.9802322e-8, 0",
    "FLOAT16, -1e-9, 8000",
    "FLOAT16, 6.1035156e-5, 400",
    "FLOAT16, 6.097555e-5, 3FF",
    "FLOAT16, 0.33325195, 3555",
    "BFLOAT16, 1, 3F80",
    "BFLOAT16, 3.140625, 4049",
    "BFLOAT16, 3.3895314e38, 7F7F",
    "BFLOAT16, 3.4028235e38, 7F80",
    "BFLOAT16, Infinity, 7F80"
  })
  void ofTheStandard(HalfPrecision form, float value, String hex) {
    assertThat(form.encode(value)).isEqualTo((short) Integer.parseInt(hex, 16));
  }

  @Test
  void theLargestIsWhatComesBeforeInfinity() {
    assertThat(HalfPrecision.FLOAT16.decode((short) 0x7BFF))
        .isEqualTo(HalfPrecision.FLOAT16.largest());
    assertThat(HalfPrecision.BFLOAT16.decode((short) 0x7F7F))
        .isEqualTo(HalfPrecision.BFLOAT16.largest());
  }
}
