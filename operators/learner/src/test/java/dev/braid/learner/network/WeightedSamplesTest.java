package dev.braid.learner.network;

import static dev.braid.learner.network.LearnerComparison.compute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.learner.Shape;
import dev.braid.learner.Targets;
import dev.braid.learner.TestModels;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.network.LearnerComparison.Computed;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

class WeightedSamplesTest {

  private static final Shape ROWS = Shape.rows(6, 3);
  private static final Shape VALUES = ROWS.withValues(3);
  private static final Shape IMAGES = new Shape(1, 28, 28, 5);
  private static final float[] WEIGHTS = {2, 0, 1, 0.25f, 7, 1, 3};

  private static Batch weighted(Batch batch, float... weights) {
    return new Batch(
        batch.epoch(),
        batch.ids(),
        batch.features(),
        batch.targets().weighted(weights),
        batch.lastOfEpoch());
  }

  private static ModelSpec rows(LossFunction loss, Activation last) {
    return TestModels.spec(
        TestModels.stack(ROWS, 5, Activation.TANH, loss, last, UnaryOperator.identity()));
  }

  @Test
  void aWeightOfTwoCountsTwice_andOneOfZeroNotAtAll() {
    ModelSpec spec = rows(LossFunction.MCXENT, Activation.SOFTMAX);
    Batch one = TestModels.batch(ROWS, 1, 3);
    try (Learner learner = Learners.create(spec, ROWS)) {
      float[] weights = TestModels.initial(learner);
      Computed once = compute(learner, weights, one);
      Computed twice = compute(learner, weights, weighted(one, 2));
      Computed never = compute(learner, weights, weighted(one, 0));
      assertThat(twice.loss()).isEqualTo(2 * once.loss());
      assertThat(never.loss()).isZero();
      for (int i = 0; i < weights.length; i++) {
        assertThat(twice.gradient()[i]).isEqualTo(2 * once.gradient()[i]);
        assertThat(never.gradient()[i]).isZero();
      }
      // Accuracy counts samples, whatever their weights.
      assertThat(twice.score().correct()).isEqualTo(once.score().correct());
    }
  }

  @Test
  void weightsOfOneGiveTheBitsOfNone() {
    ModelSpec spec = rows(LossFunction.MCXENT, Activation.SOFTMAX);
    Batch batch = TestModels.batch(ROWS, 3, 3);
    try (Learner learner = Learners.create(spec, ROWS)) {
      float[] weights = TestModels.initial(learner);
      Computed none = compute(learner, weights, batch);
      Computed ones = compute(learner, weights, weighted(batch, 1, 1, 1));
      assertThat(ones.gradient()).isEqualTo(none.gradient());
      assertThat(ones.loss()).isEqualTo(none.loss());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void gradientAndLossOfClassesAreTheWeightedSums(boolean isSparse) {
    ModelSpec spec = rows(LossFunction.MCXENT, Activation.SOFTMAX);
    checkSums(
        spec,
        ROWS,
        isSparse
            ? TestModels.sparseBatch(ROWS, WEIGHTS.length, 1)
            : TestModels.batch(ROWS, WEIGHTS.length, 1));
    checkSums(
        spec.withClassWeights(new double[] {1, 3, 0.5}),
        ROWS,
        TestModels.batch(ROWS, WEIGHTS.length, 2));
  }

  @Test
  void gradientAndLossOfImagesAreTheWeightedSums() {
    checkSums(Models.of("cnn", IMAGES, 3), IMAGES, TestModels.batch(IMAGES, WEIGHTS.length, 1));
  }

  @ParameterizedTest
  @EnumSource(
      value = LossFunction.class,
      names = {
        "MSE",
        "L2",
        "SQUARED_LOSS",
        "L1",
        "MEAN_ABSOLUTE_ERROR",
        "POISSON",
        "MEAN_SQUARED_LOGARITHMIC_ERROR"
      })
  void gradientAndLossOfValuesAreTheWeightedSums(LossFunction loss) {
    Random random = new Random(5);
    float[] values = new float[WEIGHTS.length * VALUES.outputs()];
    for (int i = 0; i < values.length; i++) {
      values[i] = 0.1f + 3 * random.nextFloat();
    }
    ModelSpec spec =
        TestModels.spec(
            TestModels.stack(
                VALUES, 5, Activation.TANH, loss, Activation.SOFTPLUS, UnaryOperator.identity()));
    Batch samples = TestModels.batch(ROWS, WEIGHTS.length, 1);
    checkSums(
        spec, VALUES, TestModels.withValues(samples, new Targets.Values(VALUES.outputs(), values)));
  }

  /** Compares a weighted batch with its samples, one after the other, without weights. */
  private static void checkSums(ModelSpec spec, Shape shape, Batch batch) {
    try (Learner learner = Learners.create(spec, shape)) {
      float[] weights = TestModels.initial(learner);
      Computed actual = compute(learner, weights, weighted(batch, WEIGHTS));
      double[] sum = new double[weights.length];
      double loss = 0;
      for (int i = 0; i < batch.size(); i++) {
        Computed one = compute(learner, weights, batch.part(i, 1));
        loss += WEIGHTS[i] * one.loss();
        for (int j = 0; j < sum.length; j++) {
          sum[j] += WEIGHTS[i] * one.gradient()[j];
        }
      }
      assertThat(actual.loss()).isCloseTo(loss, within(1e-4 * Math.abs(loss)));
      assertThat(actual.score().lossSum()).isCloseTo(loss, within(1e-4 * Math.abs(loss)));
      for (int j = 0; j < sum.length; j++) {
        assertThat((double) actual.gradient()[j])
            .isCloseTo(sum[j], within(1e-3 + 1e-4 * Math.abs(sum[j])));
      }
    }
  }

  @Test
  void partsKeepTheirWeights() {
    Batch batch = weighted(TestModels.batch(ROWS, WEIGHTS.length, 1), WEIGHTS);
    assertThat(batch.part(3, 2).targets().weights()).containsExactly(0.25f, 7);
    assertThatThrownBy(() -> weighted(batch, 1, 2)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void deeplearning4jsLayersRefuseThem() {
    ModelSpec spec = rows(LossFunction.MCXENT, Activation.SOFTMAX);
    Batch batch = weighted(TestModels.batch(ROWS, WEIGHTS.length, 1), WEIGHTS);
    try (Learner learner = Learners.deep(spec, ROWS)) {
      float[] weights = TestModels.initial(learner);
      assertThatThrownBy(() -> learner.gradient(weights, batch, new float[weights.length]))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
