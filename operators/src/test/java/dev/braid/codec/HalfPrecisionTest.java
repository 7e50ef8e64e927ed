package dev.braid.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class HalfPrecisionTest {

  @Test
  void everyHalfComesBack() {
    for (HalfPrecision form : HalfPrecision.values()) {
      for (int bits = Short.MIN_VALUE; bits <= Short.MAX_VALUE; bits++) {
        float value = form.decode((short) bits);
        if (Float.isNaN(value)) {
          assertThat(form.decode(form.encode(value))).isNaN();
        } else {
          assertThat(form.encode(value)).isEqualTo((short) bits);
        }
      }
    }
  }

  /** The neighbours of what comes out are no nearer; of two that are as near it is the even one. */
  @Property(tries = 500)
  void theNearestIsTaken(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (HalfPrecision form : HalfPrecision.values()) {
      for (int i = 0; i < 50; i++) {
        short some = (short) random.nextInt(0x7B00);
        float low = form.decode(some);
        float high = form.decode((short) (some + 1));
        float value = (float) (low + random.nextDouble() * ((double) high - low));
        float middle = (float) (((double) low + high) / 2);
        short nearest = (double) value - low < (double) high - value ? some : (short) (some + 1);
        if ((double) value - low != (double) high - value) {
          assertThat(form.encode(value)).isEqualTo(nearest);
          assertThat(form.encode(-value)).isEqualTo((short) (nearest | 0x8000));
        }
        if ((double) middle - low == (double) high - middle) {
          assertThat(form.encode(middle) & 1).isZero();
        }
      }
    }
  }

  @Test
  void ofTheStandard() {
    assertThat(HalfPrecision.FLOAT16.encode(1)).isEqualTo((short) 0x3C00);
    assertThat(HalfPrecision.FLOAT16.encode(65504)).isEqualTo((short) 0x7BFF);
    assertThat(HalfPrecision.FLOAT16.encode(65519.99f)).isEqualTo((short) 0x7BFF);
    assertThat(HalfPrecision.FLOAT16.encode(65520)).isEqualTo((short) 0x7C00);
    assertThat(HalfPrecision.FLOAT16.encode(1e-9f)).isEqualTo((short) 0);
    assertThat(HalfPrecision.FLOAT16.decode((short) 0x3555)).isEqualTo(0.33325195f);
    assertThat(HalfPrecision.BFLOAT16.encode(1)).isEqualTo((short) 0x3F80);
    assertThat(HalfPrecision.BFLOAT16.decode((short) 0x4049)).isEqualTo(3.140625f);
    assertThat(HalfPrecision.BFLOAT16.encode(Float.MAX_VALUE)).isEqualTo((short) 0x7F80);
    assertThat(HalfPrecision.BFLOAT16.encode(Float.POSITIVE_INFINITY)).isEqualTo((short) 0x7F80);
  }
}
