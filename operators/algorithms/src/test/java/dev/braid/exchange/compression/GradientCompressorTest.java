package dev.braid.exchange.compression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.braid.codec.SparseCodec;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Figure;
import dev.braid.exchange.FigureValues;
import dev.braid.exchange.compression.GradientCompressor.Use;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.state.LastingState;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import dev.braid.vector.Vectors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GradientCompressorTest {

  private static final int LENGTH = 400;
  private static final int BATCH = 4;

  private static GradientCompressor compressor(String codec) {
    ExchangeConfig config =
        new ExchangeConfig(0, 2, LENGTH, 50, 0, ExchangeOptions.defaults(2).withBatch(BATCH));
    Compression compression = Compression.of(codec);
    return new GradientCompressor(
        compression, config, new Use(GradientCompressor.kind(compression), true, false));
  }

  private static Contribution gradient(SplittableRandom random, long round) {
    float[] gradient = new float[LENGTH];
    for (int i = 0; i < LENGTH; i++) {
      gradient[i] = random.nextInt(-100, 101);
    }
    return new Contribution(round, gradient, BATCH);
  }

  private static float[] residual(GradientCompressor compressor) throws IOException {
    float[] residual = new float[LENGTH];
    for (LastingState state : compressor.states()) {
      if (state.kind().equals(GradientCompressor.RESIDUAL)) {
        ByteBuffer.wrap(state.toBytes()).asFloatBuffer().get(residual);
      }
    }
    return residual;
  }

  private static double figure(GradientCompressor compressor, Figure figure) {
    FigureValues values = new FigureValues();
    compressor.addFigures(values);
    return values.get(figure);
  }

  /** Uses whole numbers and a whole threshold, so that sums are exact to the bit. */
  @ParameterizedTest
  @ValueSource(strings = {"threshold:8", "bitmap:8", "auto:8", "auto:0.5", "top-k:0.05", "int4"})
  void whatIsSentAndWhatIsKeptAreWhatWasComputed(String codec) throws IOException {
    GradientCompressor compressor = compressor(codec);
    SplittableRandom random = new SplittableRandom(5);
    float[] computed = new float[LENGTH];
    float[] sent = new float[LENGTH];
    for (int round = 0; round < 30; round++) {
      Contribution local = gradient(random, round);
      Contribution contributed = compressor.compress(local);
      assertThat(contributed.samples()).isEqualTo(BATCH);
      assertThat(contributed.round()).isEqualTo(round);
      for (int i = 0; i < LENGTH; i++) {
        computed[i] += local.gradient()[i];
        sent[i] += contributed.gradient()[i];
      }
      compressor.completed(round + 1);
      float[] kept = residual(compressor);
      for (int i = 0; i < LENGTH; i++) {
        assertThat(sent[i] + kept[i]).isEqualTo(computed[i]);
      }
    }
    assertThat(figure(compressor, Figure.GRADIENTS)).isEqualTo(30);
    assertThat(figure(compressor, Figure.RESIDUAL_NORM)).isPositive();
  }

  /** However many elements exceed the threshold, the bitmap's halves do not make it shorter. */
  @ParameterizedTest
  @CsvSource({"0.5", "8", "50", "90"})
  void whatAutoTakesHasTheFewestBytes(float tau) {
    List<Long> bytes =
        Stream.of("auto", "threshold", "bitmap")
            .map(codec -> compressor(codec + ":" + tau))
            .map(it -> it.compress(gradient(new SplittableRandom(5), 0)))
            .map(it -> Slice.view(it.gradient(), Range.ofLength(LENGTH)))
            .map(it -> Payload.Sparse.of(it, new SparseCodec()).orElseThrow().bytes())
            .toList();
    assertThat(bytes.get(0)).isEqualTo(bytes.get(1)).isLessThanOrEqualTo(bytes.get(2));
  }

  /** The norm refers to the mean gradient, like the threshold, so that the two are comparable. */
  @Test
  void whatIsKeptIsMeasuredOfTheMeanGradient() throws IOException {
    GradientCompressor compressor = compressor("threshold:8");
    compressor.compress(gradient(new SplittableRandom(5), 0));
    compressor.completed(1);
    double norm = Vectors.norm(residual(compressor), Range.ofLength(LENGTH));
    assertThat(figure(compressor, Figure.RESIDUAL_NORM)).isEqualTo(norm / BATCH);
    assertThat(compressor.tau()).isEqualTo(8);
  }

  /** Checks real numbers, up to the rounding of one subtraction for each gradient. */
  @Property(tries = 50)
  void ofRealNumbersToTheirRounding(@ForAll long seed) throws IOException {
    GradientCompressor compressor = compressor("threshold:1%");
    SplittableRandom random = new SplittableRandom(seed);
    double[] difference = new double[LENGTH];
    double largest = 0;
    int rounds = 20;
    for (int round = 0; round < rounds; round++) {
      float[] gradient = new float[LENGTH];
      for (int i = 0; i < LENGTH; i++) {
        gradient[i] = (float) random.nextGaussian();
        largest = Math.max(largest, Math.abs(gradient[i]));
      }
      float[] sent = compressor.compress(new Contribution(round, gradient, 1)).gradient();
      for (int i = 0; i < LENGTH; i++) {
        difference[i] += (double) gradient[i] - sent[i];
      }
      compressor.completed(round + 1);
    }
    float[] kept = residual(compressor);
    for (int i = 0; i < LENGTH; i++) {
      assertThat(Math.abs(difference[i] - kept[i]))
          .isLessThanOrEqualTo(2 * rounds * rounds * largest * Math.ulp(1f));
    }
  }

  @Test
  void whatWasRolledBackIsContributedAsItWas() throws IOException {
    GradientCompressor compressor = compressor("threshold:5%");
    SplittableRandom random = new SplittableRandom(9);
    compressor.compress(gradient(random, 0));
    compressor.completed(1);
    float[] before = residual(compressor);

    Contribution local = gradient(random, 1);
    float[] first = compressor.compress(local).gradient().clone();
    assertThat(residual(compressor)).as("of complete rounds").isEqualTo(before);
    float[] again = compressor.compress(local).gradient().clone();

    assertThat(again).isEqualTo(first);
    compressor.completed(2);
    assertThat(residual(compressor)).isNotEqualTo(before);
    assertThat(figure(compressor, Figure.GRADIENTS)).isEqualTo(2);
  }

  /** No other rank has the sum of the round: the gradient is dropped, the residual is kept. */
  @ParameterizedTest
  @ValueSource(strings = {"threshold:5%", "threshold:adaptive", "top-k:0.1", "dgc:5%", "int4"})
  void aRoundThatIsSetBackLeavesNothing(String codec) throws IOException {
    GradientCompressor compressor = compressor(codec);
    GradientCompressor other = compressor(codec);
    SplittableRandom random = new SplittableRandom(9);
    Contribution first = gradient(random, 0);
    for (GradientCompressor it : List.of(compressor, other)) {
      it.compress(first);
      it.completed(1);
    }
    compressor.compress(gradient(random, 1));
    compressor.completed(2);
    compressor.compress(gradient(random, 2));
    compressor.leftOut(1);
    assertThat(residual(compressor)).isEqualTo(residual(other));

    Contribution next = gradient(random, 7);
    assertThat(compressor.compress(next).gradient()).isEqualTo(other.compress(next).gradient());
    compressor.completed(8);
    other.completed(8);
    assertThat(residual(compressor)).isEqualTo(residual(other));
  }

  /**
   * The part of an excluded rank's gradient that others have counts; the rest is as if never sent.
   */
  @Test
  void ofARankThatIsLeftOutCountsWhatOthersHave() throws IOException {
    GradientCompressor compressor = compressor("top-k:0.1");
    float[] empty = residual(compressor);
    SplittableRandom random = new SplittableRandom(9);
    compressor.compress(gradient(random, 0));
    compressor.leftOut(0);
    compressor.completed(5);
    assertThat(residual(compressor)).as("in no sum").isEqualTo(empty);
    compressor.compress(gradient(random, 5));
    compressor.leftOut(6);
    assertThat(residual(compressor)).as("in the others' sum").isNotEqualTo(empty);
  }

  @Test
  void aGradientThatIsNotCountedLeavesNothing() throws IOException {
    GradientCompressor compressor = compressor("threshold:5%");
    float[] empty = residual(compressor);
    SplittableRandom random = new SplittableRandom(9);
    compressor.compress(gradient(random, 0));
    compressor.completed(1, round -> false);
    assertThat(residual(compressor)).isEqualTo(empty);
    compressor.compress(gradient(random, 1));
    compressor.completed(2, round -> true);
    assertThat(residual(compressor)).isNotEqualTo(empty);
  }

  /**
   * Running statistics are sent whole, whatever they are; the rest is compressed as without them.
   */
  @ParameterizedTest
  @ValueSource(strings = {"threshold:5%", "auto:8", "top-k:0.1", "int4"})
  void exactPartsComeWhole(String codec) throws IOException {
    Range part = new Range(100, 130);
    ExchangeConfig config =
        new ExchangeConfig(0, 2, LENGTH, 50, 0, ExchangeOptions.defaults(2).withBatch(BATCH))
            .withExact(List.of(part));
    GradientCompressor compressor =
        new GradientCompressor(
            Compression.of(codec),
            config,
            new Use(GradientCompressor.Kind.QUANTIZED, false, false));
    GradientCompressor plain = compressor(codec);
    SplittableRandom random = new SplittableRandom(3);
    for (int round = 0; round < 10; round++) {
      Contribution local = gradient(random, round);
      float[] without = local.gradient().clone();
      Arrays.fill(without, part.start(), part.end(), 0);
      float[] expected = plain.compress(new Contribution(round, without, BATCH)).gradient().clone();
      System.arraycopy(local.gradient(), 100, expected, 100, 30);
      assertThat(compressor.compress(local).gradient()).isEqualTo(expected);
      compressor.completed(round + 1);
      plain.completed(round + 1);
      assertThat(residual(compressor)).isEqualTo(residual(plain));
    }
  }

  /** This happens if a rank gets another model, so that its first gradient counts nowhere. */
  @Test
  void oneThatIsComputedAnewIsAnother() throws IOException {
    GradientCompressor compressor = compressor("top-k:0.1");
    GradientCompressor other = compressor("top-k:0.1");
    SplittableRandom random = new SplittableRandom(9);
    compressor.compress(gradient(random, 0));
    Contribution local = gradient(random, 0);

    assertThat(compressor.compress(local).gradient()).isEqualTo(other.compress(local).gradient());
    compressor.completed(1);
    other.completed(1);
    assertThat(residual(compressor)).isEqualTo(residual(other));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "threshold",
        "threshold:adaptive",
        "bitmap:adaptive",
        "top-k:0.02",
        "dgc:1%",
        "int4"
      })
  void goesOnFromItsStatesAsIfNothingHadBeen(String codec) throws IOException {
    GradientCompressor one = compressor(codec);
    SplittableRandom random = new SplittableRandom(2);
    for (int round = 0; round < 7; round++) {
      one.compress(gradient(random, round));
      one.completed(round + 1);
    }
    GradientCompressor other = compressor(codec);
    List<LastingState> states = one.states();
    for (int i = 0; i < states.size(); i++) {
      other.states().get(i).fromBytes(states.get(i).toBytes());
    }
    for (int round = 7; round < 20; round++) {
      Contribution local = gradient(random, round);
      assertThat(other.compress(local).gradient()).isEqualTo(one.compress(local).gradient());
      one.completed(round + 1);
      other.completed(round + 1);
    }
    assertThat(figure(other, Figure.GRADIENTS)).as("of this run").isEqualTo(13);
  }

  private static final List<String> CODECS =
      List.of(
          "threshold",
          "threshold:8",
          "threshold:adaptive",
          "bitmap:adaptive",
          "top-k:0.02",
          "int4");

  @Provide
  Arbitrary<String> codecs() {
    return Arbitraries.of(CODECS);
  }

  /** The residual is preserved, and the threshold is a number above 0, as for a first gradient. */
  @Property
  void anotherCodecGoesOnFromTheStates(
      @ForAll("codecs") String before, @ForAll("codecs") String after) throws IOException {
    GradientCompressor one = compressor(before);
    SplittableRandom random = new SplittableRandom(2);
    for (int round = 0; round < 3; round++) {
      one.compress(gradient(random, round));
      one.completed(round + 1);
    }
    GradientCompressor other = compressor(after);
    List<LastingState> states = one.states();
    for (int i = 0; i < states.size(); i++) {
      other.states().get(i).fromBytes(states.get(i).toBytes());
    }
    float[] kept = residual(one);
    assertThat(residual(other)).isEqualTo(kept);

    Contribution local = gradient(random, 3);
    Contribution sent = other.compress(local);
    assertThat(sent.gradient()).isNotEqualTo(new float[LENGTH]);
    other.completed(4);
    if (after.startsWith("threshold") || after.startsWith("bitmap")) {
      assertThat(other.tau()).isGreaterThan(1e-5);
    }
  }

  @Test
  void thresholdsAreOfTheMeanOfABatch() {
    GradientCompressor compressor = compressor("threshold:0.5");
    Contribution local = gradient(new SplittableRandom(1), 0);
    float[] sent = compressor.compress(local).gradient();
    compressor.completed(1);
    for (int i = 0; i < LENGTH; i++) {
      float sum = local.gradient()[i];
      float expected = Math.abs(sum) >= 2 ? Math.copySign(2, sum) : 0;
      assertThat(sent[i]).isEqualTo(expected);
    }
    assertThat(figure(compressor, Figure.THRESHOLD)).isEqualTo(0.5);
  }

  @Test
  void aShareOfTheElementsIsSent() {
    GradientCompressor compressor = compressor("threshold:5%");
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 50; round++) {
      compressor.compress(gradient(random, round));
      compressor.completed(round + 1);
    }
    assertThat(figure(compressor, Figure.DENSITY) / 50).isBetween(0.03, 0.08);
  }

  @Test
  void gradientsOfNoSample_andThoseThatAreNotFinite_goAsTheyAre() throws IOException {
    GradientCompressor compressor = compressor("top-k:0.1");
    Contribution none = new Contribution(0, new float[LENGTH], 0);
    assertThat(compressor.compress(none)).isSameAs(none);
    compressor.completed(1);
    assertThat(figure(compressor, Figure.GRADIENTS)).as("of some sample").isZero();
    Contribution diverged = gradient(new SplittableRandom(1), 1);
    diverged.gradient()[17] = Float.NaN;
    assertThat(compressor.compress(diverged)).isSameAs(diverged);
    compressor.completed(2);
    assertThat(residual(compressor)).containsOnly(0);
  }

  @ParameterizedTest
  @CsvSource({"bf16, 1.001, 1", "fp16, 1.0004, 1", "fp16, 65533, 65533"})
  void halfOfTheBitsLeavesNothing(String codec, float value, float rounded) {
    GradientCompressor compressor = compressor(codec);
    Contribution local = new Contribution(0, new float[LENGTH], 1);
    local.gradient()[3] = value;
    assertThat(compressor.compress(local).gradient()[3]).isEqualTo(rounded);
    assertThat(compressor.states()).isEmpty();
    assertThat(compressor.vectors()).isOne();
  }

  @Test
  void aRankThatOnlyServesKeepsNothing() {
    ExchangeOptions options = ExchangeOptions.defaults(3).with(ExchangeOptions.SERVERS, 1);
    for (String codec : List.of("threshold", "top-k", "bf16", "fp16")) {
      Compression compression = Compression.of(codec);
      int kept = codec.endsWith("16") ? 1 : 2;
      for (int rank = 0; rank < 3; rank++) {
        ExchangeConfig config = new ExchangeConfig(rank, 3, LENGTH, 50, 0, options);
        Use use = new Use(GradientCompressor.kind(compression), false, true);
        assertThat(new GradientCompressor(compression, config, use).vectors())
            .isEqualTo(rank < 2 ? kept : 0);
      }
    }
  }

  @Test
  void refusesAStateThatNoCompressorWrites() {
    GradientCompressor compressor = compressor("threshold");
    LastingState quantization = compressor.states().get(0);
    byte[] bytes =
        ByteBuffer.allocate(21).putLong(3).put((byte) 1).putFloat(-1).putDouble(0.5).array();
    assertThatThrownBy(() -> quantization.fromBytes(bytes))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("threshold -1.0");
  }

  /**
   * If everything is sent, each gradient's momentum is gone with it: a sum of g and μ·g. If nothing
   * is sent, the residual is the sum of Nesterov's momentum.
   */
  @Test
  void momentumIsTakenBeforeSomethingIsKept() throws IOException {
    GradientCompressor compressor = compressor("dgc:0.25%");
    float momentum = 0.9f;
    float[] gradient = new float[LENGTH];
    gradient[7] = 1_000;
    gradient[8] = 1;
    double velocity = 0;
    double kept = 0;
    for (int round = 0; round < 5; round++) {
      float[] sent = compressor.compress(new Contribution(round, gradient, 1)).gradient();
      // One element of 400; its threshold is slightly below it.
      assertThat(sent[7]).isBetween(1_880f, 1_920f);
      assertThat(sent[8]).isZero();
      compressor.completed(round + 1);
      velocity = momentum * velocity + 1;
      kept += 1 + momentum * velocity;
      assertThat(residual(compressor)[8]).isCloseTo((float) kept, within(1e-3f));
    }
  }

  /**
   * The batch has one of four samples: the residual of full batches weighs no more than in their
   * rounds.
   */
  @ParameterizedTest
  @ValueSource(strings = {"threshold:2", "top-k:0.005", "dgc:0.5%"})
  void whatIsKeptWeighsAsMuchInTheRoundOfASmallBatch(String codec) throws IOException {
    ExchangeConfig config =
        new ExchangeConfig(0, 2, LENGTH, 50, 0, ExchangeOptions.defaults(2).withBatch(BATCH));
    GradientCompressor full =
        new GradientCompressor(
            Compression.of(codec), config, new Use(GradientCompressor.Kind.QUANTIZED, false, true));
    GradientCompressor small =
        new GradientCompressor(
            Compression.of(codec), config, new Use(GradientCompressor.Kind.QUANTIZED, false, true));
    SplittableRandom random = new SplittableRandom(3);
    Contribution first = gradient(random, 0);
    Contribution second = gradient(random, 1);
    float[] ofOne = second.gradient().clone();
    for (int i = 0; i < LENGTH; i++) {
      ofOne[i] /= BATCH;
    }
    full.compress(first);
    small.compress(first);
    full.completed(1);
    small.completed(1);
    float[] expected = full.compress(second).gradient();
    float[] sent = small.compress(new Contribution(1, ofOne, 1)).gradient();
    for (int i = 0; i < LENGTH; i++) {
      assertThat(sent[i]).isEqualTo(expected[i] / BATCH);
    }
    full.completed(2);
    small.completed(2);
    assertThat(residual(small)).isEqualTo(residual(full));
  }
}
