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
    float[] reals =
        new SplittableRandom(3)
            .doubles(300)
            .collect(
                () -> new float[300], (all, x) -> all[(int) (x * 300)] = (float) x, (a, b) -> {});
    for (int i = 0; i < reals.length; i++) {
      reals[i] += i + 0.5f;
    }
    assertThat(Payload.Sparse.of(Slice.view(reals, 0, 300), new SparseCodec())).isEmpty();
  }

  /** Whoever has read a message may add its values: nothing is written outside of its range. */
  @Property(tries = 3000)
  void bytesOfAnyKindAreRefusedOrStayInTheirRange(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 400) int length) {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] bytes = new byte[random.nextInt(60)];
    random.nextBytes(bytes);
    if (bytes.length > 4) {
      // A form that there is, and a count that there may be.
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
        .hasMessage("5 bytes of values of no element");
  }

  @Test
  void halfOfTheBytesForTheNearestValues() {
    float[] values = {1, -2.71828f, 0, 1e-30f};
    Slice rounded = Slice.view(new float[5], 1, 4);
    Payload.Half.round(Slice.view(values, 0, 4), rounded);
    Payload half = new Payload.Half(rounded);
    assertThat(half.bytes()).isEqualTo(8);
    for (int i = 0; i < values.length; i++) {
      float nearest = HalfPrecision.BFLOAT16.decode(HalfPrecision.BFLOAT16.encode(values[i]));
      assertThat(half.dense().toArray()[i]).isEqualTo(nearest);
    }
    assertThat(half.copy().dense().toArray()).containsExactly(half.dense().toArray());
    float[] sums = new float[6];
    half.addTo(sums, 2);
    half.addTo(sums, 2);
    assertThat(sums[2]).isEqualTo(2);
  }
}
