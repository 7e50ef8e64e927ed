package dev.braid.learner.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.braid.learner.Batch;
import dev.braid.learner.InvalidModelException;
import dev.braid.learner.Learner;
import dev.braid.learner.Shape;
import dev.braid.learner.Targets;
import dev.braid.learner.TestModels;
import dev.braid.learner.math.NativeVectors;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.optimiser.Step;
import dev.braid.learner.optimiser.Updater;
import dev.braid.learner.optimiser.UpdaterSpec;
import dev.braid.learner.structure.ParameterOrder;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.UnaryOperator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** Tests models that predict values. */
class ValueLearnersTest {

  private static final List<LossFunction> LOSSES =
      List.of(
          LossFunction.MSE,
          LossFunction.L2,
          LossFunction.SQUARED_LOSS,
          LossFunction.L1,
          LossFunction.MEAN_ABSOLUTE_ERROR,
          LossFunction.POISSON,
          LossFunction.MEAN_SQUARED_LOGARITHMIC_ERROR);

  private static final List<Activation> OUTPUTS =
      List.of(Activation.IDENTITY, Activation.SOFTPLUS, Activation.SIGMOID, Activation.TANH);

  /** Number of rows that exceeds one evaluation step. */
  private static final int ROWS = 300;

  private static final Shape SHAPE = Shape.rows(6, 2).withValues(3);

  private static Batch batch(Shape shape, int size, Random random, boolean positive) {
    float[] values = new float[size * shape.outputs()];
    for (int i = 0; i < values.length; i++) {
      values[i] = positive ? 0.1f + 3 * random.nextFloat() : (float) random.nextGaussian();
    }
    Shape classes = Shape.rows(shape.features(), 2);
    Batch samples =
        random.nextBoolean()
            ? TestModels.batch(classes, size, random.nextLong())
            : TestModels.sparseBatch(classes, size, random.nextLong());
    return TestModels.withValues(samples, new Targets.Values(shape.outputs(), values));
  }

  /** Deeplearning4j's flattened gradient is the sum over samples, as Braid's is. */
  @Property(tries = 60)
  void gradientsAndLossesAreDeeplearning4js(
      @ForAll @LongRange(min = 0) long seed,
      @ForAll @IntRange(min = 1, max = 4) int outputs,
      @ForAll @IntRange(min = 1, max = 20) int rows) {
    Random random = new Random(seed);
    LossFunction loss = LOSSES.get(random.nextInt(LOSSES.size()));
    boolean logarithm =
        loss == LossFunction.POISSON || loss == LossFunction.MEAN_SQUARED_LOGARITHMIC_ERROR;
    // The logarithm of a number that is not positive is not finite.
    Activation last = logarithm ? Activation.SOFTPLUS : OUTPUTS.get(random.nextInt(OUTPUTS.size()));
    Shape shape = Shape.rows(1 + random.nextInt(9), 2).withValues(outputs);
    MultiLayerConfiguration model =
        TestModels.stack(
            shape, 1 + random.nextInt(8), Activation.TANH, loss, last, UnaryOperator.identity());
    ModelSpec spec = TestModels.spec(model);
    Batch batch = batch(shape, rows, random, logarithm);
    try (Learner learner = Learners.create(spec, shape)) {
      assertThat(learner).isInstanceOf(StackLearner.class);
      float[] weights = TestModels.initial(learner);
      float[] gradient = new float[weights.length];
      double lossSum = learner.gradient(weights, batch, gradient);

      MultiLayerNetwork network = TestModels.network(spec, weights);
      network.setInput(TestModels.features(batch));
      network.setLabels(TestModels.labels(batch, outputs));
      network.computeGradientAndScore();
      float[] theirs =
          ParameterOrder.of(spec.parsed())
              .fromDeeplearning4j(NativeVectors.toArray(network.getFlattenedGradients()));
      double largest = 0;
      double difference = 0;
      for (int i = 0; i < theirs.length; i++) {
        largest = Math.max(largest, Math.abs(theirs[i]));
        difference = Math.max(difference, Math.abs(gradient[i] - theirs[i]));
      }
      String what = loss + " " + last + " seed " + seed;
      assertThat(difference).as(what).isLessThanOrEqualTo(1e-5 * largest + 1e-6);
      double mean = network.score(new DataSet(network.getInput(), network.getLabels()), false);
      assertThat(lossSum / rows).as(what).isCloseTo(mean, within(1e-4 * Math.abs(mean) + 1e-5));

      Learner.Score score = learner.evaluate(weights, batch);
      assertThat(score.loss()).as(what).isCloseTo(lossSum / rows, within(1e-5));
      float[] given = NativeVectors.toArray(network.output(network.getInput(), false).dup('c'));
      Learner.Score expected = batch.targets().score(given, outputs, 0, rows, lossSum);
      assertThat(score.errors().meanSquared())
          .as(what)
          .isCloseTo(expected.errors().meanSquared(), within(1e-4));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void stepsAreThoseOfDeeplearning4jsFit(boolean fast) {
    UpdaterSpec updaterSpec = UpdaterSpec.of("adam", OptionalDouble.empty());
    ModelSpec spec =
        TestModels.spec(
            TestModels.stack(
                SHAPE,
                5,
                Activation.RELU,
                LossFunction.MSE,
                Activation.IDENTITY,
                builder -> builder.l2(0.01).updater(updaterSpec.toDeeplearning4j())));
    ParameterOrder order = ParameterOrder.of(spec.parsed());
    try (Learner learner = fast ? Learners.create(spec, SHAPE) : Learners.deep(spec, SHAPE)) {
      float[] weights = TestModels.initial(learner);
      MultiLayerNetwork network = TestModels.network(spec, weights);
      weights = fast ? weights : order.toDeeplearning4j(weights);
      Updater updater = spec.updater().create();
      float[][] state = spec.initialState(updaterSpec, weights.length);
      float[] gradient = new float[weights.length];
      Random random = new Random(3);
      for (int step = 0; step < 20; step++) {
        Batch batch = batch(SHAPE, 8, random, false);
        learner.gradient(weights, batch, gradient);
        updater.step(weights, state, 0, new Step(gradient, 8, step));
        network.fit(TestModels.features(batch), TestModels.labels(batch, SHAPE.outputs()));
      }
      float[] theirs = NativeVectors.toArray(network.params());
      theirs = fast ? order.fromDeeplearning4j(theirs) : theirs;
      for (int i = 0; i < weights.length; i++) {
        assertThat(weights[i]).as("weight %d", i).isCloseTo(theirs[i], within(2e-5f));
      }
    }
  }

  /** The function has coefficients that can be learned exactly. */
  @ParameterizedTest
  @ValueSource(strings = {"logistic", "mlp"})
  void presetsLearnALinearFunction(String preset) {
    Shape shape = Shape.rows(4, 2).withValues(2);
    ModelSpec spec = Models.of(preset, shape, 1);
    Random random = new Random(7);
    float[] features = new float[ROWS * 4];
    float[] values = new float[ROWS * 2];
    for (int i = 0; i < features.length; i++) {
      features[i] = (float) random.nextGaussian();
    }
    for (int i = 0; i < ROWS; i++) {
      values[2 * i] = 0.5f * features[4 * i] - 0.8f * features[4 * i + 1] + 0.2f;
      values[2 * i + 1] = 0.9f * features[4 * i + 3] - 0.1f;
    }
    Batch batch =
        TestModels.withValues(
            TestModels.batch(Shape.rows(4, 2), features, new int[ROWS]),
            new Targets.Values(2, values));
    UpdaterSpec updater = spec.updater();
    Updater steps = updater.create();
    try (Learner learner = Learners.create(spec, shape)) {
      float[] weights = TestModels.initial(learner);
      float[][] state = spec.initialState(updater, weights.length);
      float[] gradient = new float[weights.length];
      for (int step = 0; step < 400; step++) {
        learner.gradient(weights, batch, gradient);
        steps.step(weights, state, 0, new Step(gradient, ROWS, step));
      }
      Learner.Score score = learner.evaluate(weights, batch);
      assertThat(score.errors().r2()).isGreaterThan(0.98);
      assertThat(score.loss()).isCloseTo(score.errors().meanSquared(), within(1e-6));
    }
  }

  @Test
  void whatDoesNotGoTogetherIsRefusedByName() {
    assertThatThrownBy(
            () ->
                create(
                    TestModels.stack(
                        SHAPE,
                        4,
                        Activation.TANH,
                        LossFunction.MCXENT,
                        Activation.SOFTMAX,
                        UnaryOperator.identity()),
                    SHAPE))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining("model test: layer 1 (layer1): loss LossMCXENT()")
        .hasMessageContaining("the data has values: use MSE")
        .hasMessageContaining("without `regression`");
    assertThatThrownBy(() -> create(mse(Shape.rows(6, 2).withValues(1)), SHAPE))
        .hasMessage("model test: 1 outputs: must match the data's 3 values");
    assertThatThrownBy(() -> create(mse(Shape.rows(6, 2).withValues(1)), Shape.rows(6, 4)))
        .hasMessageContaining("1 outputs: must match the data's 4 classes")
        .hasMessageContaining("LossMSE() needs values: use `regression`");
  }

  private static MultiLayerConfiguration mse(Shape shape) {
    return TestModels.stack(
        shape, 4, Activation.TANH, LossFunction.MSE, Activation.IDENTITY, UnaryOperator.identity());
  }

  private static void create(MultiLayerConfiguration model, Shape shape) {
    Learners.create(TestModels.spec(model), shape).close();
  }
}
