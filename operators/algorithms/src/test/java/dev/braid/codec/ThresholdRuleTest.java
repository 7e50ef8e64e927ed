package dev.braid.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.braid.vector.Range;
import dev.braid.vector.Vectors;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.threshold.AdaptiveThresholdAlgorithm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ThresholdRuleTest {

  private static final float[] NOTHING = {};

  private static float next(ThresholdRule rule, float tau, double density) {
    return rule.tau(
        Optional.of(new ThresholdRule.Last(tau, density)), NOTHING, NOTHING, Range.EMPTY);
  }

  /** Returns the threshold of the first gradient. */
  private static float tau(ThresholdRule rule, float[] gradient) {
    float[] residual = new float[gradient.length];
    return rule.tau(Optional.empty(), residual, gradient, Range.ofLength(gradient.length));
  }

  @Test
  void oneThatIsFixedStays() {
    assertThat(next(new ThresholdRule.Fixed(0.5f), 0.25f, 0.9)).isEqualTo(0.5f);
  }

  /** Compares with Deeplearning4j's own class, with its defaults. */
  @Property(tries = 50)
  void theAdaptiveOneIsDeeplearning4js(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    AdaptiveThresholdAlgorithm theirs = new AdaptiveThresholdAlgorithm();
    double expected = theirs.calculateThreshold(0, 0, null, null, null, null);
    ThresholdRule rule = ThresholdRule.Adaptive.DEFAULT;
    float tau = rule.tau(Optional.empty(), NOTHING, NOTHING, Range.EMPTY);
    assertThat(tau).isEqualTo((float) expected);
    for (int i = 1; i < 50; i++) {
      double density = Math.pow(10, random.nextDouble(-6, 0));
      expected = theirs.calculateThreshold(i, 0, expected, false, density, null);
      tau = next(rule, tau, density);
      assertThat(tau).isCloseTo((float) expected, within((float) (1e-5 * expected)));
    }
  }

  /** Uses gradients of a normal distribution, whose residuals pile up below the last threshold. */
  @ParameterizedTest
  @ValueSource(doubles = {0.001, 0.01, 0.2})
  void aTargetIsMetFromTheFirstGradientOn(double target) {
    int length = 100_000;
    ThresholdRule rule = new ThresholdRule.TargetDensity(target);
    SplittableRandom random = new SplittableRandom(11);
    Range whole = Range.ofLength(length);
    float[] residual = new float[length];
    SparseValues taken = new SparseValues(0);
    double sum = 0;
    for (int step = 0; step < 40; step++) {
      float[] gradient = ThresholdQuantizerTest.gaussian(random, length, 0.002f);
      float tau = rule.tau(Optional.empty(), residual, gradient, whole);
      ThresholdQuantizer.take(residual, gradient, whole, tau, taken);
      Vectors.add(residual, gradient, whole);
      taken.subtractFrom(residual);
      double density = taken.size() / (double) length;
      assertThat(density).isBetween(target / 2, target * 2);
      sum += density;
    }
    assertThat(sum / 40).isCloseTo(target, within(0.15 * target));
  }

  /** A fifth of the elements is not 0, and half of that fifth is larger than the other half. */
  @ParameterizedTest
  @CsvSource({"0.05, 2", "0.15, 0.5", "0.3, 2", "0.7, 0.5", "1, 0.5"})
  void whereMostElementsAreZero_aShareOfTheOthersIsBeyond(double share, float expected) {
    for (int length : new int[] {100, 100_000}) {
      float[] unsent = new float[length];
      for (int i = 0; i < length; i += 5) {
        unsent[i] = i % 2 == 0 ? 0.5f : -2;
      }
      ThresholdRule rule = new ThresholdRule.TargetDensity(share);
      assertThat(tau(rule, unsent)).isEqualTo(expected);
    }
  }

  @Test
  void oneElementThatNoSampleHasIsFound() {
    ThresholdRule rule = new ThresholdRule.TargetDensity(0.01);
    for (int at = 99_000; at < 99_010; at++) {
      float[] unsent = new float[100_000];
      unsent[at] = -0.25f;
      assertThat(tau(rule, unsent)).isEqualTo(0.25f);
    }
  }

  @Test
  void afterAGradientWithoutAThresholdTheAdaptiveOneBegins() {
    for (double density : new double[] {0, 0.001, 0.5}) {
      assertThat(next(ThresholdRule.Adaptive.DEFAULT, 0, density)).isEqualTo(1e-4f);
    }
  }

  /** Deeplearning4j's own first threshold is a hundred doublings of density away here. */
  @Test
  void oneThatBeginsWithATargetHasItsDensityFromTheFirstGradientOn() {
    ThresholdRule warm =
        ThresholdRule.Adaptive.DEFAULT.beginningWith(new ThresholdRule.TargetDensity(0.01));
    int length = 10_000;
    Range whole = Range.ofLength(length);
    float[] gradient = ThresholdQuantizerTest.gaussian(new SplittableRandom(7), length, 0.02f);
    float[] residual = new float[length];
    float first = warm.tau(Optional.empty(), residual, gradient, whole);
    SparseValues taken = new SparseValues(0);
    ThresholdQuantizer.take(residual, gradient, whole, first, taken);
    assertThat(taken.size()).isBetween(90, 120);
    assertThat(next(warm, first, 0.02)).isGreaterThan(first);
    assertThat(next(warm, first, 0.005)).isEqualTo(first);
    assertThat(next(warm, first, 0.00005)).isLessThan(first);
  }

  /**
   * Otherwise a first gradient of zeros would leave a threshold that all others exceed for long.
   */
  @Test
  void afterAGradientOfZerosItBeginsAnew() {
    ThresholdRule warm =
        ThresholdRule.Adaptive.DEFAULT.beginningWith(new ThresholdRule.TargetDensity(0.5));
    float[] none = new float[4];
    Range whole = Range.ofLength(4);
    float tau = warm.tau(Optional.empty(), none, none, whole);
    float[] gradient = {4, 3, 2, 1};
    assertThat(warm.tau(Optional.of(new ThresholdRule.Last(tau, 0)), none, gradient, whole))
        .isEqualTo(3);
  }

  @Test
  void aThresholdIsANumberAboveZeroWhateverComes() {
    ThresholdRule target = new ThresholdRule.TargetDensity(0.5);
    assertThat(tau(target, new float[9])).isPositive();
    assertThat(target.tau(Optional.empty(), NOTHING, NOTHING, Range.EMPTY)).isPositive();
    for (double density : new double[] {0, 1}) {
      float tau = 1;
      for (int i = 0; i < 5000; i++) {
        tau = next(ThresholdRule.Adaptive.DEFAULT, tau, density);
      }
      assertThat(tau).isPositive().isFinite();
    }
  }

  @Test
  void badParametersAreRefused() {
    assertThatThrownBy(() -> new ThresholdRule.Fixed(0)).hasMessageContaining("threshold 0.0");
    assertThatThrownBy(() -> new ThresholdRule.TargetDensity(0)).hasMessageContaining("density");
    assertThatThrownBy(() -> new ThresholdRule.Adaptive(new ThresholdRule.Fixed(1), 0.1, 0.01, 0.9))
        .hasMessageContaining("least <= most");
    assertThatThrownBy(() -> new ResidualClipping(0.5f, 5)).hasMessageContaining("clipping");
  }

  @Test
  void residualsAreCutOffEveryFewSteps() {
    ResidualClipping clipping = new ResidualClipping(5, 5);
    for (int step = 0; step <= 10; step++) {
      float[] residual = {-7, 3, 9};
      clipping.clip(residual, new Range(0, 2), 1, step);
      float[] cut = {-5, 3, 9};
      assertThat(residual).isEqualTo(step == 5 || step == 10 ? cut : new float[] {-7, 3, 9});
    }
  }

  /** Uses few elements, many elements, and many elements that are nearly all 0. */
  @Property(tries = 60)
  void ofASumItIsThatOfTheSum(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int length = 1 + random.nextInt(random.nextBoolean() ? 200 : 50_000);
    Range range = new Range(2, 2 + length);
    float[] kept = ThresholdQuantizerTest.gaussian(random, length + 3, 1);
    float[] added = ThresholdQuantizerTest.gaussian(random, length + 3, 1);
    if (random.nextInt(4) == 0) {
      Arrays.fill(kept, 0);
      Arrays.fill(added, 0);
      added[2 + random.nextInt(length)] = 1;
    }
    float[] sum = kept.clone();
    Vectors.add(sum, added, Range.ofLength(sum.length));
    for (ThresholdRule rule :
        List.of(
            new ThresholdRule.Fixed(0.5f),
            ThresholdRule.Adaptive.DEFAULT,
            new ThresholdRule.TargetDensity(0.01))) {
      Optional<ThresholdRule.Last> last = Optional.of(new ThresholdRule.Last(0.25f, 0.3));
      assertThat(rule.tau(last, kept, added, range))
          .isEqualTo(rule.tau(last, new float[sum.length], sum, range));
    }
  }
}
