package dev.braid.exchange.compression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.state.LastingState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GradientCompressorTest {

  private static final int LENGTH = 400;
  private static final int BATCH = 4;

  private static GradientCompressor compressor(String codec) {
    ExchangeConfig config =
        new ExchangeConfig(0, 2, LENGTH, 50, 0, ExchangeOptions.defaults(2).withBatch(BATCH));
    return new GradientCompressor(Compression.of(codec), config);
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

  /** With whole numbers, and a threshold that is one, to the bit. */
  @ParameterizedTest
  @ValueSource(strings = {"threshold:8", "bitmap:8", "auto:8", "auto:0.5", "top-k:0.05"})
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
    assertThat(compressor.use().gradients()).isEqualTo(30);
    assertThat(compressor.use().residualNorm()).isPositive();
  }

  /** Of real numbers, to the rounding of one subtraction for each gradient. */
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
    assertThat(compressor.use().gradients()).isEqualTo(2);
  }

  /** As where a rank has another model, and its first gradient counts nowhere. */
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
  @ValueSource(strings = {"threshold", "threshold:adaptive", "bitmap:adaptive", "top-k:0.02"})
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
    assertThat(other.use().gradients()).as("of this run").isEqualTo(13);
  }

  private static final List<String> CODECS =
      List.of("threshold", "threshold:8", "threshold:adaptive", "bitmap:adaptive", "top-k:0.02");

  @Provide
  Arbitrary<String> codecs() {
    return Arbitraries.of(CODECS);
  }

  /** The residual is what it was, and the threshold is a number above 0, as of a first gradient. */
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
    if (!after.startsWith("top-k")) {
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
    assertThat(compressor.use().tau()).isEqualTo(0.5);
  }

  @Test
  void aShareOfTheElementsIsSent() {
    GradientCompressor compressor = compressor("threshold:5%");
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 50; round++) {
      compressor.compress(gradient(random, round));
      compressor.completed(round + 1);
    }
    assertThat(compressor.use().density() / 50).isBetween(0.03, 0.08);
  }

  @Test
  void gradientsOfNoSample_andThoseThatAreNotFinite_goAsTheyAre() throws IOException {
    GradientCompressor compressor = compressor("top-k:0.1");
    Contribution none = new Contribution(0, new float[LENGTH], 0);
    assertThat(compressor.compress(none)).isSameAs(none);
    compressor.completed(1);
    assertThat(compressor.use().gradients()).as("of some sample").isZero();
    Contribution diverged = gradient(new SplittableRandom(1), 1);
    diverged.gradient()[17] = Float.NaN;
    assertThat(compressor.compress(diverged)).isSameAs(diverged);
    compressor.completed(2);
    assertThat(residual(compressor)).containsOnly(0);
  }

  @Test
  void halfOfTheBitsLeavesNothing() {
    GradientCompressor compressor = compressor("bf16");
    Contribution local = new Contribution(0, new float[LENGTH], 1);
    local.gradient()[3] = 1.001f;
    assertThat(compressor.compress(local).gradient()[3]).isEqualTo(1);
    assertThat(compressor.states()).isEmpty();
    assertThat(compressor.vectors()).isOne();
  }

  @Test
  void aRankThatOnlyServesKeepsNothing() {
    ExchangeOptions options = ExchangeOptions.defaults(3).with(ExchangeOptions.SERVERS, 1);
    for (String codec : List.of("threshold", "top-k", "bf16")) {
      Compression compression = Compression.of(codec);
      int kept = codec.equals("bf16") ? 1 : 2;
      for (int rank = 0; rank < 3; rank++) {
        ExchangeConfig config = new ExchangeConfig(rank, 3, LENGTH, 50, 0, options);
        assertThat(new GradientCompressor(compression, config).vectors())
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
        .hasMessageContaining("threshold of -1.0");
  }
}
