package dev.braid.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.vector.Range;
import java.util.Arrays;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SparseCodecTest {

  private static final float TAU = 0.001f;

  private final SparseCodec codec = new SparseCodec();

  /** Kinds of values: only signs, the bitmap's states, sums of signs, or arbitrary values. */
  private enum Kind {
    SIGNS,
    STATES,
    MULTIPLES,
    LEVELS,
    ANY
  }

  @Property(tries = 500)
  void whatIsReadIsWhatWasWritten(
      @ForAll long seed,
      @ForAll Kind kind,
      @ForAll @IntRange(max = 2000) int length,
      @ForAll @DoubleRange(min = 0, max = 1) double share) {
    SplittableRandom random = new SplittableRandom(seed);
    double density = share * share * share;
    SparseValues values = values(random, kind, length, density);
    Range range =
        length == 0 ? Range.EMPTY : new Range(length / 3, random.nextInt(length / 3, length + 1));

    byte[] bytes = codec.encode(values, range);
    SparseValues read = new SparseValues(0);
    SparseCodec.decode(bytes, range, read);

    float[] expected = new float[length];
    values.copyTo(expected, range);
    float[] actual = new float[length];
    read.addTo(actual);
    assertThat(actual).containsExactly(expected);
    assertThat(bytes.length).isLessThanOrEqualTo(1 + Float.BYTES * range.length() + 4);
  }

  private static SparseValues values(
      SplittableRandom random, Kind kind, int length, double density) {
    SparseValues values = new SparseValues(0);
    for (int i = 0; i < length; i++) {
      if (random.nextDouble() < density) {
        values.append(
            i,
            switch (kind) {
              case SIGNS -> random.nextBoolean() ? TAU : -TAU;
              case STATES -> new float[] {TAU, -TAU, -TAU / 2}[random.nextInt(3)];
              case MULTIPLES -> (1 + random.nextInt(8)) * (random.nextBoolean() ? TAU : -TAU);
              case LEVELS -> (random.nextInt(14) - 7) * Math.scalb(1f, i / 700 - 9);
              case ANY -> (float) random.nextGaussian();
            });
      }
    }
    return values;
  }

  /**
   * Checks the bits per value, including its sign, against the entropy of the positions of values.
   * Deeplearning4j takes 32 bits.
   */
  @ParameterizedTest
  @ValueSource(doubles = {0.0001, 0.001, 0.01, 0.05, 0.3})
  void signsTakeLittleMoreThanTheirEntropy(double density) {
    double entropyBits = -(density * log2(density) + (1 - density) * log2(1 - density)) / density;
    SparseValues values = values(new SplittableRandom(7), Kind.SIGNS, 2_000_000, density);
    byte[] bytes = codec.encode(values, Range.ofLength(2_000_000));
    double bits = 8.0 * bytes.length / values.size();
    assertThat(bits).isBetween(entropyBits + 0.9, 1.04 * (entropyBits + 1));
  }

  private static double log2(double x) {
    return Math.log(x) / Math.log(2);
  }

  @Test
  void theShortestFormIsTaken() {
    Range range = Range.ofLength(10_000);
    SplittableRandom random = new SplittableRandom(1);
    int bitmap = (3 + 32 + 2 * 10_000 + 7) / 8;
    assertThat(codec.encode(values(random, Kind.STATES, 10_000, 0.5), range)).hasSize(bitmap);
    // A gap of k = 0 takes a bit for each element, and only elements with a value have a bit for
    // its sign.
    assertThat(codec.encode(values(random, Kind.SIGNS, 10_000, 0.9), range))
        .hasSizeLessThan(bitmap);
    assertThat(codec.encode(values(random, Kind.SIGNS, 10_000, 0.01), range))
        .hasSizeLessThan(10_000 / 80);
    // About twelve bits for a gap and one of sixteen multiples.
    assertThat(codec.encode(values(random, Kind.MULTIPLES, 10_000, 0.01), range))
        .hasSizeLessThan(10_000 / 35);
    assertThat(codec.encode(values(random, Kind.LEVELS, 10_000, 1), range))
        .hasSizeLessThan(10_000 * 19 / 32);
    assertThat(codec.encode(values(random, Kind.ANY, 10_000, 1), range)).hasSize(40_001);
    assertThat(codec.encode(new SparseValues(0), range)).hasSize(5);
  }

  @Property(tries = 300)
  void elementsThatAreNotZeroAreAddedAndWrittenAsTheyAre(
      @ForAll long seed, @ForAll Kind kind, @ForAll @IntRange(min = 1, max = 2000) int length) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] vector = new float[length];
    values(random, kind, length, random.nextDouble(0.3)).addTo(vector);
    Range range = new Range(length / 3, random.nextInt(length / 3, length + 1));

    codec
        .encodeIfShorter(vector, range)
        .ifPresentOrElse(
            bytes -> {
              int shift = random.nextInt(20);
              float[] sums = new float[shift + length];
              float[] copies = new float[shift + length];
              Range there = new Range(shift, shift + range.length());
              new SparseReader(bytes, there).check();
              new SparseReader(bytes, there).addTo(sums);
              new SparseReader(bytes, there).addTo(sums);
              new SparseReader(bytes, there).setIn(copies);
              for (int i = 0; i < range.length(); i++) {
                assertThat(copies[shift + i]).isEqualTo(vector[range.start() + i]);
                assertThat(sums[shift + i]).isEqualTo(2 * vector[range.start() + i]);
              }
              assertThat(bytes).hasSizeLessThan(Float.BYTES * range.length());
            },
            () -> assertThat(range.length()).isLessThan(40));
  }

  @Test
  void whatIsNoShorterIsNotEncoded() {
    float[] reals = new float[1000];
    values(new SplittableRandom(1), Kind.ANY, 1000, 1).addTo(reals);
    assertThat(codec.encodeIfShorter(reals, Range.ofLength(1000))).isEmpty();
    assertThat(codec.encodeIfShorter(reals, Range.EMPTY)).isEmpty();
  }

  @Test
  void valuesThatAreZeroAndNegativeZeroAndNotNumbers() {
    SparseValues values = new SparseValues(0);
    values.append(3, 0f);
    values.append(5, -0f);
    values.append(7, Float.NaN);
    SparseValues read = new SparseValues(0);
    SparseCodec.decode(codec.encode(values, Range.ofLength(100)), Range.ofLength(100), read);
    float[] vector = new float[100];
    read.copyTo(vector, Range.ofLength(100));
    assertThat(Float.floatToRawIntBits(vector[5])).isEqualTo(1 << 31);
    assertThat(vector[7]).isNaN();
    assertThat(read.size()).isEqualTo(3);

    SparseValues zeros = new SparseValues(0);
    zeros.append(1, 0f);
    SparseCodec.decode(codec.encode(zeros, Range.ofLength(99)), Range.ofLength(99), read);
    assertThat(read.size()).isEqualTo(1);
  }

  /**
   * Checks that changed bytes give values in the range, or an error with a message, and allocate no
   * more memory than the bytes warrant.
   */
  @Property(tries = 3000)
  void bytesThatAreChangedAreReadOrRefused(
      @ForAll long seed, @ForAll Kind kind, @ForAll @IntRange(min = 1, max = 3000) int length) {
    SplittableRandom random = new SplittableRandom(seed);
    Range range = new Range(length / 4, length);
    byte[] bytes = codec.encode(values(random, kind, length, random.nextDouble(0.2)), range);
    int changes = random.nextInt(1, 5);
    for (int i = 0; i < changes; i++) {
      bytes[random.nextInt(Math.min(bytes.length, 12))] ^= (byte) (1 << random.nextInt(8));
    }
    if (random.nextBoolean()) {
      bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length + 9));
    }
    SparseValues read = new SparseValues(0);
    try {
      SparseCodec.decode(bytes, range, read);
    } catch (CorruptPayloadException e) {
      assertThat(e.getMessage()).isNotBlank();
    }
    int last = range.start() - 1;
    for (int i = 0; i < read.size(); i++) {
      assertThat(read.index(i)).isGreaterThan(last).isLessThan(range.end());
      last = read.index(i);
    }
  }

  @Test
  void whatIsCutOffOrTooLongIsRefused() {
    Range range = Range.ofLength(500);
    byte[] bytes = codec.encode(values(new SplittableRandom(3), Kind.ANY, 500, 0.1), range);
    SparseValues read = new SparseValues(0);
    for (int length = 0; length < bytes.length; length++) {
      byte[] part = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> SparseCodec.decode(part, range, read))
          .isInstanceOf(CorruptPayloadException.class);
    }
    assertThatThrownBy(
            () -> SparseCodec.decode(Arrays.copyOf(bytes, bytes.length + 1), range, read))
        .isInstanceOf(CorruptPayloadException.class)
        .hasMessageContaining("follow the values");
  }

  /** Infinite values occur if a sum of gradients overflows. */
  @ParameterizedTest
  @ValueSource(ints = {3, 90, 500})
  void infiniteValuesComeAsTheyAre(int count) {
    Range range = Range.ofLength(500);
    float[] vector = new float[500];
    for (int i = 0; i < count; i++) {
      vector[i] = i % 2 == 0 ? Float.POSITIVE_INFINITY : Float.NEGATIVE_INFINITY;
    }
    byte[] bytes = codec.encodeIfShorter(vector, range).orElseThrow();
    SparseValues read = new SparseValues(0);
    SparseCodec.decode(bytes, range, read);
    float[] actual = new float[500];
    read.copyTo(actual, range);
    assertThat(actual).containsExactly(vector);
  }

  /** The payload of a few bytes states a count of two thousand million. */
  @Test
  void aCountThatThePayloadHasNoRoomForIsRefusedAtOnce() {
    BitWriter out = new BitWriter();
    out.write(1, 3);
    out.write(2_000_000_000, 32);
    out.write(0, 5);
    out.write(Float.floatToRawIntBits(TAU), 32);
    assertThatThrownBy(
            () ->
                SparseCodec.decode(
                    out.toBytes(), Range.ofLength(Integer.MAX_VALUE), new SparseValues(0)))
        .isInstanceOf(CorruptPayloadException.class)
        .hasMessageContaining("2000000000 values");
  }
}
