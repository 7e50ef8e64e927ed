package dev.braid.learner.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.learner.Batch;
import dev.braid.learner.Features;
import dev.braid.learner.Learner;
import dev.braid.learner.Shape;
import dev.braid.learner.TestModels;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.network.RunningScales.Scale;
import dev.braid.learner.optimiser.Optimiser;
import dev.braid.learner.optimiser.Pace;
import dev.braid.learner.optimiser.Step;
import dev.braid.learner.optimiser.Updater;
import dev.braid.learner.optimiser.UpdaterSpec;
import dev.braid.vector.Range;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StandardizingLearnerTest {

  private static final Shape SHAPE = Shape.rows(4, 2);
  private static final int ROUND = 40;

  /** Means of a time in seconds, a tiny number, an ordinary number and a constant. */
  private static final double[] MEANS = {1.7e9, 3e-8, -2, 5};

  private static final double[] DEVIATIONS = {1000, 1e-8, 3, 0};

  private static final ModelSpec SPEC = ModelSpec.untried("logistic", SHAPE, 3);
  private static final RunningScales SCALES =
      new RunningScales(SPEC.length(), List.of(Range.ofLength(4)));

  /** A run whose rounds take a step along the sum of the gradients of some workers. */
  private static final class Run implements AutoCloseable {
    private final RunningScales scales;
    private final Learner learner;
    private final Updater updater;
    private final float[] weights;
    private final float[][] state;
    private long step;

    Run(RunningScales scales) {
      this.scales = scales;
      this.learner = new StandardizingLearner(Learners.create(SPEC, SHAPE), scales);
      UpdaterSpec adam = UpdaterSpec.of("adam", OptionalDouble.of(0.01));
      this.updater = Optimiser.of(adam).following(scales.statistics()).create(Pace.STEPS);
      this.weights = TestModels.initial(learner);
      this.state = SPEC.initialState(adam, weights.length);
    }

    Run() {
      this(SCALES);
    }

    void round(float[] rows, int workers) {
      int width = SHAPE.features();
      int samples = rows.length / width;
      float[] sum = new float[weights.length];
      float[] gradient = new float[weights.length];
      for (int i = 0; i < workers; i++) {
        Range part = Range.ofLength(samples).part(i, workers);
        float[] own = Arrays.copyOfRange(rows, part.start() * width, part.end() * width);
        learner.gradient(weights, batch(own), gradient);
        for (int j = 0; j < sum.length; j++) {
          sum[j] += gradient[j];
        }
      }
      updater.step(weights, state, 0, new Step(sum, samples, step++));
    }

    void checkFinite() {
      for (float weight : weights) {
        assertThat(weight).isFinite();
      }
    }

    Scale scale(int feature) {
      return scales.scales(weights).get(feature);
    }

    @Override
    public void close() {
      learner.close();
    }
  }

  private static Batch batch(float... rows) {
    int[] ids = IntStream.range(0, rows.length / SHAPE.features()).toArray();
    return new Batch(0, ids, Features.fitting(SHAPE.features(), rows), new int[ids.length], false);
  }

  private static float[] rows(SplittableRandom random, int samples) {
    float[] rows = new float[samples * MEANS.length];
    for (int i = 0; i < rows.length; i++) {
      int feature = i % MEANS.length;
      rows[i] = (float) (MEANS[feature] + DEVIATIONS[feature] * random.nextGaussian());
    }
    return rows;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void statisticsAreThoseOfAllSamples_howeverWorkersShareThem(int workers) {
    SplittableRandom random = new SplittableRandom(1);
    double[] means = new double[4];
    double[] variances = new double[4];
    double[] shifts = new double[4];
    try (Run run = new Run()) {
      for (int round = 0; round < 50; round++) {
        float[] rows = rows(random, ROUND);
        run.round(rows, workers);
        for (int f = 0; f < 4; f++) {
          double sum = 0;
          double squares = 0;
          for (int i = f; i < rows.length; i += 4) {
            double distance = rows[i] - shifts[f] - means[f];
            sum += distance;
            squares += distance * distance;
          }
          if (round == 0) {
            shifts[f] = meanOfMedians(rows, f, workers);
          } else {
            double share = 2.0 / (round + 1);
            means[f] += share * sum / ROUND;
            variances[f] += share * (squares / ROUND - variances[f]);
          }
        }
      }
      for (int f = 0; f < 3; f++) {
        double deviation = Math.sqrt(variances[f]);
        assertThat(run.scale(f).deviation()).isCloseTo(deviation, within(5e-3 * deviation));
        double mean = shifts[f] + means[f];
        assertThat(run.scale(f).mean()).isCloseTo(mean, within(5e-3 * deviation));
        // As close to the distribution as 2,000 samples allow.
        assertThat(run.scale(f).mean()).isCloseTo(MEANS[f], within(0.1 * DEVIATIONS[f]));
        assertThat(run.scale(f).deviation()).isCloseTo(DEVIATIONS[f], within(0.1 * DEVIATIONS[f]));
      }
      assertThat(run.scale(3)).isEqualTo(new Scale(5, 0));
    }
  }

  /** Each gradient is computed with older statistics, as in an asynchronous exchange. */
  @Test
  void ranksThatBeganAloneAgreeOnTheStatisticsSoon() {
    int ranks = 3;
    int lag = 6;
    SplittableRandom random = new SplittableRandom(7);
    try (Run run = new Run()) {
      Deque<float[]> underway = new ArrayDeque<>();
      for (int i = 0; i < 100 * ranks + lag; i++) {
        float[] rows = rows(random, ROUND);
        for (int j = 2; j < rows.length; j += 4) {
          rows[j] += 30;
        }
        float[] gradient = new float[run.weights.length];
        run.learner.gradient(run.weights, batch(rows), gradient);
        underway.add(gradient);
        if (underway.size() > lag) {
          long samples = (long) ROUND * ranks;
          run.updater.step(run.weights, run.state, 0, new Step(underway.remove(), samples, i));
        }
      }
      assertThat(run.scale(1).deviation()).isCloseTo(DEVIATIONS[1], within(0.2 * DEVIATIONS[1]));
      assertThat(run.scale(2).deviation()).isCloseTo(DEVIATIONS[2], within(0.2 * DEVIATIONS[2]));
      assertThat(run.scale(2).mean()).isCloseTo(30 + MEANS[2], within(0.2 * DEVIATIONS[2]));
    }
  }

  private static double meanOfMedians(float[] rows, int feature, int workers) {
    double sum = 0;
    for (int i = 0; i < workers; i++) {
      Range part = Range.ofLength(ROUND).part(i, workers);
      double[] own =
          IntStream.range(part.start(), part.end())
              .mapToDouble(row -> rows[row * MEANS.length + feature])
              .sorted()
              .toArray();
      sum += own.length * own[(own.length - 1) / 2];
    }
    return sum / ROUND;
  }

  @ParameterizedTest
  @CsvSource({"0, 1e6", "0, 1e25", "0, 3e38", "1, 1e6", "1, 1e9", "1, 1e25", "1, 3e38", "7, 3e38"})
  void oneOutlierOfAnyRoundMovesStatisticsLittle(int bad, float value) {
    SplittableRandom random = new SplittableRandom(5);
    try (Run run = new Run()) {
      for (int round = 0; round < 200; round++) {
        float[] rows = rows(random, ROUND);
        if (round == bad) {
          rows[2] = value;
        }
        run.round(rows, 2);
        run.checkFinite();
      }
      assertThat(run.scale(2).mean()).isCloseTo(MEANS[2], within(0.2 * DEVIATIONS[2]));
      assertThat(run.scale(2).deviation()).isCloseTo(DEVIATIONS[2], within(0.2 * DEVIATIONS[2]));
    }
  }

  @Test
  void hugeValuesAndTheFirstChangeOfAConstantLeaveAllFinite() {
    SplittableRandom random = new SplittableRandom(6);
    try (Run run = new Run()) {
      for (int round = 0; round < 300; round++) {
        float[] rows = rows(random, ROUND);
        for (int i = 3; i < rows.length; i += 4) {
          rows[i] = round == 100 ? 3e38f : 5;
        }
        for (int i = 0; i < rows.length; i += 4) {
          rows[i] = 3e38f * (random.nextBoolean() ? 1 : -1);
        }
        run.round(rows, 1);
        run.checkFinite();
      }
    }
  }

  @Test
  void theModelLearnsFromStandardizedFeatures() {
    SplittableRandom random = new SplittableRandom(2);
    try (Run run = new Run();
        Learner plain = Learners.create(SPEC, SHAPE)) {
      for (int round = 0; round < 20; round++) {
        run.round(rows(random, ROUND), 2);
      }
      float[] rows = rows(random, ROUND);
      float[] expected = rows.clone();
      for (int i = 0; i < rows.length; i++) {
        Scale scale = run.scale(i % 4);
        expected[i] =
            scale.deviation() > 0 ? (float) ((rows[i] - scale.mean()) / scale.deviation()) : 0;
      }
      float[] gradient = new float[run.weights.length];
      float[] ofPlain = new float[plain.length()];
      float[] weights = Arrays.copyOf(run.weights, plain.length());
      double loss = run.learner.gradient(run.weights, batch(rows), gradient);
      assertThat(loss).isEqualTo(plain.gradient(weights, batch(expected), ofPlain));
      assertThat(Arrays.copyOf(gradient, plain.length())).isEqualTo(ofPlain);
      assertThat(run.learner.scoreOfGradient()).isEqualTo(plain.scoreOfGradient());
      assertThat(run.learner.evaluate(run.weights, batch(rows)))
          .isEqualTo(plain.evaluate(weights, batch(expected)));
    }
  }

  @Test
  void otherNumbersAreLeftAlone_alsoWhereMostAreZero() {
    RunningScales last = new RunningScales(SPEC.length(), List.of(new Range(3, 4)));
    try (Run run = new Run(last);
        Learner plain = Learners.create(SPEC, SHAPE)) {
      float[] rows = new float[4 * ROUND];
      for (int i = 0; i < ROUND; i++) {
        rows[4 * i + i % 3] = 1;
      }
      float[] gradient = new float[last.length()];
      float[] expected = new float[plain.length()];
      run.learner.gradient(run.weights, batch(rows), gradient);
      plain.gradient(run.weights, batch(rows), expected);
      assertThat(Arrays.copyOf(gradient, plain.length())).isEqualTo(expected);
    }
  }

  @Test
  void aRoundMayHaveOneSample() {
    SplittableRandom random = new SplittableRandom(3);
    try (Run run = new Run()) {
      for (int round = 0; round < 1000; round++) {
        run.round(rows(random, 1), 1);
        run.checkFinite();
      }
      for (int f = 0; f < 3; f++) {
        assertThat(run.scale(f).mean()).isCloseTo(MEANS[f], within(0.15 * DEVIATIONS[f]));
        assertThat(run.scale(f).deviation()).isCloseTo(DEVIATIONS[f], within(0.15 * DEVIATIONS[f]));
      }
    }
  }

  @Test
  void statisticsFollowAScaleThatChanges_andAnOutlierMovesThemLittle() {
    SplittableRandom random = new SplittableRandom(4);
    try (Run run = new Run()) {
      for (int round = 0; round < 1500; round++) {
        run.round(rows(random, ROUND), 1);
      }
      Scale before = run.scale(2);
      float[] outlier = rows(random, ROUND);
      outlier[2] = 1e30f;
      run.round(outlier, 1);
      run.checkFinite();
      assertThat(run.scale(2).deviation())
          .isCloseTo(before.deviation(), within(0.01 * before.deviation()));
      for (int round = 0; round < 10_000; round++) {
        float[] rows = rows(random, ROUND);
        for (int i = 0; i < rows.length; i++) {
          rows[i] = i % 4 == 2 ? rows[i] * 1000 + 7e4f : rows[i];
        }
        run.round(rows, 1);
      }
      assertThat(run.scale(2).mean()).isCloseTo(7e4 - 2000, within(300.0));
      assertThat(run.scale(2).deviation()).isCloseTo(3000, within(300.0));
    }
  }
}
