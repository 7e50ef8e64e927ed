package dev.braid.exchange.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.codec.CorruptPayloadException;
import dev.braid.codec.HalfPrecision;
import dev.braid.codec.SparseCodec;
import dev.braid.vector.Slice;
import java.util.Arrays;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PayloadTest {

  private static final float TAU = 0.25f;

  @Property(tries = 300)
  void sparseValuesDoWhatTheSameDenseOnesDo(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 500) int length) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] values = new float[length + 7];
    for (int i = 0; i < length; i++) {
      values[7 + i] = random.nextInt(20) == 0 ? (random.nextInt(7) - 3) * TAU : 0;
    }
    Payload dense = Payload.of(Slice.view(values, 7, length));
    Payload sparse = Payload.Sparse.of(dense.dense(), new SparseCodec()).orElse(dense);

    assertThat(sparse.bytes()).isLessThanOrEqualTo(dense.bytes());
    assertThat(sparse.length()).isEqualTo(length);
    assertThat(sparse.dense().toArray()).containsExactly(dense.dense().toArray());
    assertThat(sparse.copy().dense().toArray()).containsExactly(dense.dense().toArray());
    float[] some = new float[length + 30];
    Arrays.fill(some, 3);
    float[] others = some.clone();
    sparse.addTo(some, 11);
    dense.addTo(others, 11);
    assertThat(some).containsExactly(others);
    sparse.copyTo(some, 2);
    dense.copyTo(others, 2);
    assertThat(some).containsExactly(others);
  }

  @Test
  void valuesThatAreNotSparseHaveNoShorterForm() {
    SplittableRandom random = new SplittableRandom(3);
    float[] reals = new float[300];
    for (int i = 0; i < reals.length; i++) {
      reals[i] = (float) random.nextGaussian();
    }
    assertThat(Payload.Sparse.of(Slice.view(reals, 0, 300), new SparseCodec())).isEmpty();
  }

  /** A receiver may add a message's values: nothing may be written outside the message's range. */
  @Property(tries = 3000)
  void bytesOfAnyKindAreRefusedOrStayInTheirRange(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 400) int length) {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] bytes = new byte[random.nextInt(60)];
    random.nextBytes(bytes);
    if (bytes.length > 4) {
      // A valid form, and a valid count.
      bytes[0] = (byte) random.nextInt(5);
      bytes[1] &= 1;
      Arrays.fill(bytes, 2, 5, (byte) 0);
    }
    float[] vector = new float[length + 20];
    Arrays.fill(vector, 1);
    try {
      Payload.Sparse.parse(length, bytes).copyTo(vector, 10);
    } catch (CorruptPayloadException e) {
      assertThat(e.getMessage()).isNotBlank();
    }
    for (int i = 0; i < 10; i++) {
      assertThat(vector[i]).isOne();
      assertThat(vector[length + 10 + i]).isOne();
    }
  }

  @Test
  void valuesOfNoElementAreRefused() {
    assertThatThrownBy(() -> Payload.Sparse.parse(0, new byte[] {0, 0, 0, 0, 0}))
        .isInstanceOf(CorruptPayloadException.class)
        .hasMessageContaining("5 bytes of values for 0 elements");
  }

  @ParameterizedTest
  @EnumSource
  void halfOfTheBytesForTheNearestValues(HalfPrecision form) {
    float[] values = {1, -2.71828f, 0, 1e-30f};
    Slice rounded = Slice.view(new float[5], 1, 4);
    assertThat(Payload.Half.hasAll(form, Slice.view(values, 0, 4))).isFalse();
    assertThat(Payload.Half.round(form, Slice.view(values, 0, 4), rounded)).isTrue();
    assertThat(Payload.Half.hasAll(form, rounded)).isTrue();
    Payload half = new Payload.Half(form, rounded);
    assertThat(half.bytes()).isEqualTo(8);
    for (int i = 0; i < values.length; i++) {
      float nearest = form.decode(form.encode(values[i]));
      assertThat(half.dense().toArray()[i]).isEqualTo(nearest);
    }
    assertThat(half.copy().dense().toArray()).containsExactly(half.dense().toArray());
    float[] sums = new float[6];
    half.addTo(sums, 2);
    half.addTo(sums, 2);
    assertThat(sums[2]).isEqualTo(2);
  }

  /** A value that is too large is reported, and left unchanged. */
  @ParameterizedTest
  @CsvSource({
    "FLOAT16, 65519.996, 65504, true",
    "FLOAT16, 65520, 65520, false",
    "FLOAT16, -1e9, -1e9, false",
    "FLOAT16, Infinity, Infinity, false",
    "BFLOAT16, 65520, 65536, true",
    "BFLOAT16, 3.4028235e38, 3.4028235e38, false"
  })
  void whatIsBeyondTheRangeIsTold(
      HalfPrecision form, float value, float expected, boolean isInRange) {
    float[] values = {1, 2, value, 3};
    Slice all = Slice.view(values, 0, 4);
    assertThat(Payload.Half.round(form, all, all)).isEqualTo(isInRange);
    assertThat(values).containsExactly(1, 2, expected, 3);
  }
}
