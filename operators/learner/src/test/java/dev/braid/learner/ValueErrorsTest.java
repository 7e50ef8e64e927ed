package dev.braid.learner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.nd4j.evaluation.regression.RegressionEvaluation;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.factory.Nd4j;

class ValueErrorsTest {

  @Test
  void errorsAreCountedByHand() {
    Targets targets = new Targets.Values(2, new float[] {1, 10, 3, 10, 5, 10});
    Learner.Score score = targets.score(new float[] {1, 11, 4, 9, 3, 10}, 2, 0, 3, 1.5);
    ValueErrors errors = score.errors();
    assertThat(score.samples()).isEqualTo(3);
    assertThat(score.loss()).isEqualTo(0.5);
    assertThat(score.accuracy()).isNaN();
    assertThat(score.qualitySum()).isEqualTo(-1.5);
    assertThat(errors.meanSquared(0)).isCloseTo(5.0 / 3, within(1e-12));
    assertThat(errors.meanAbsolute(0)).isCloseTo(1, within(1e-12));
    assertThat(errors.r2(0)).isCloseTo(1 - 5.0 / 8, within(1e-12));
    assertThat(errors.r2(1)).as("of targets that are all the same").isNaN();
    assertThat(errors.r2()).isNaN();
    assertThat(errors.meanSquared()).isCloseTo((5.0 / 3 + 2.0 / 3) / 2, within(1e-12));
  }

  @Test
  void ofClassesThereAreNone() {
    Learner.Score score = new Targets.Classes(new int[] {0, 1}).score(new float[4], 2, 0, 2, 3);
    assertThat(score).isEqualTo(new Learner.Score(2, 1, 3));
    assertThat(score.hasValues()).isFalse();
    assertThat(score.errors().r2()).isNaN();
  }

  /** Parts may be cut anywhere, and Deeplearning4j's evaluation gives the same result. */
  @Property(tries = 200)
  void partsAddUpToTheWhole(
      @ForAll @LongRange(min = 0) long seed,
      @ForAll @IntRange(min = 1, max = 4) int width,
      @ForAll @IntRange(min = 2, max = 60) int samples) {
    Random random = new Random(seed);
    float[] wanted = new float[samples * width];
    float[] outputs = new float[samples * width];
    for (int i = 0; i < wanted.length; i++) {
      wanted[i] = (float) (3 * random.nextGaussian() + i % width);
      outputs[i] = (float) (wanted[i] + random.nextGaussian());
    }
    Targets targets = new Targets.Values(width, wanted);
    ValueErrors whole = targets.score(outputs, width, 0, samples, 0).errors();
    ValueErrors parts = ValueErrors.NONE;
    for (int first = 0; first < samples; ) {
      int rows = Math.min(1 + random.nextInt(7), samples - first);
      float[] some = new float[rows * width];
      System.arraycopy(outputs, first * width, some, 0, some.length);
      parts = parts.plus(targets.score(some, width, first, rows, 0).errors());
      first += rows;
    }
    RegressionEvaluation theirs = new RegressionEvaluation(width);
    theirs.eval(
        Nd4j.create(wanted, new long[] {samples, width}, DataType.FLOAT),
        Nd4j.create(outputs, new long[] {samples, width}, DataType.FLOAT));
    assertThat(parts.samples()).isEqualTo(samples);
    for (int o = 0; o < width; o++) {
      assertThat(parts.r2(o)).isCloseTo(whole.r2(o), within(1e-9));
      assertThat(parts.meanSquared(o)).isCloseTo(whole.meanSquared(o), within(1e-9));
      assertThat(parts.meanAbsolute(o)).isCloseTo(whole.meanAbsolute(o), within(1e-9));
      assertThat(whole.meanSquared(o)).isCloseTo(theirs.meanSquaredError(o), within(1e-4));
      assertThat(whole.meanAbsolute(o)).isCloseTo(theirs.meanAbsoluteError(o), within(1e-4));
      // For nearly equal targets, Deeplearning4j's result loses all digits.
      double r2 = theirs.rSquared(o);
      assertThat(whole.r2(o) < -3 ? r2 : whole.r2(o)).isCloseTo(r2, within(1e-3));
    }
  }

  /** Sums of squares would lose all digits of the variance. */
  @Test
  void farFromZeroVariancesAreExact() {
    float[] wanted = new float[1000];
    float[] outputs = new float[1000];
    for (int i = 0; i < wanted.length; i++) {
      wanted[i] = 10_000_000 + i % 2;
      outputs[i] = 10_000_000;
    }
    Targets targets = new Targets.Values(1, wanted);
    ValueErrors errors = targets.score(outputs, 1, 0, 500, 0).errors();
    float[] rest = new float[500];
    System.arraycopy(outputs, 500, rest, 0, 500);
    errors = errors.plus(targets.score(rest, 1, 500, 500, 0).errors());
    assertThat(errors.r2()).isCloseTo(-1, within(1e-9));
  }
}
