package dev.braid.learner.network;

import static dev.braid.learner.network.LearnerComparison.assertSame;
import static dev.braid.learner.network.LearnerComparison.compute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.learner.Shape;
import dev.braid.learner.TestModels;
import dev.braid.learner.math.NativeMath;
import dev.braid.learner.math.NativeVectors;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.network.LearnerComparison.Computed;
import dev.braid.learner.optimiser.Step;
import dev.braid.learner.optimiser.Updater;
import dev.braid.learner.optimiser.UpdaterSpec;
import dev.braid.learner.structure.ParameterOrder;
import dev.braid.vector.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.ActivationLayer;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.DropoutLayer;
import org.deeplearning4j.nn.conf.layers.LSTM;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.recurrent.LastTimeStep;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

class LearnersTest {

  /** Number of steps in which every preset learns to tell four quadrants apart. */
  private static final int STEPS = 60;

  private static final Shape DIGITS = new Shape(1, 28, 28, 10);
  private static final Shape SMALL = new Shape(1, 3, 4, 5);
  private static final Shape CLASSES_OF_DIGITS = new Shape(1, 28, 28, 5);
  private static final double[] CLASS_WEIGHTS = {1, 0.25, 3, 0, 1.7};

  @ParameterizedTest
  @ValueSource(strings = {"logistic", "mlp"})
  void fastPathIsDeeplearning4jUpToRounding(String preset) {
    List<Batch> batches = new ArrayList<>();
    for (int size : new int[] {100, 1, 37, 300}) {
      batches.add(TestModels.batch(DIGITS, size, size));
      batches.add(TestModels.sparseBatch(DIGITS, size, size));
    }
    batches.add(allZero(DIGITS, 3));
    assertSame(StackLearner.class, Models.of(preset, DIGITS, 3), DIGITS, batches);
  }

  /** Preparation may happen or not, for this batch or another one, whatever happens in between. */
  @Test
  void preparingChangesNothing() {
    ModelSpec spec = Models.of("mlp", DIGITS, 3);
    List<Batch> batches =
        List.of(
            TestModels.sparseBatch(DIGITS, 20, 1),
            TestModels.batch(DIGITS, 20, 2),
            TestModels.sparseBatch(DIGITS, 7, 3));
    try (Learner learner = Learners.create(spec, DIGITS);
        Learner unprepared = Learners.create(spec, DIGITS)) {
      float[] weights = TestModels.initial(learner);
      for (Batch batch : batches) {
        Computed expected = compute(unprepared, weights, batch);
        for (Batch prepared : batches) {
          learner.prepare(prepared);
          assertSameBits(compute(learner, weights, batch), expected);
          learner.prepare(prepared);
          assertThat(learner.evaluate(weights, batch)).isEqualTo(expected.score());
          assertSameBits(compute(learner, weights, batch), expected);
        }
      }
    }
  }

  private static void assertSameBits(Computed actual, Computed expected) {
    assertThat(actual.loss()).isEqualTo(expected.loss());
    assertThat(actual.gradient()).isEqualTo(expected.gradient());
    assertThat(actual.score()).isEqualTo(expected.score());
  }

  private static Batch allZero(Shape shape, int size) {
    return TestModels.batch(shape, new float[size * shape.features()], new int[size]);
  }

  @ParameterizedTest
  @CsvSource({
    "TANH, MCXENT, SOFTMAX",
    "SIGMOID, MSE, IDENTITY",
    "RELU, XENT, SIGMOID",
    "LEAKYRELU, L2, TANH",
    "ELU, KL_DIVERGENCE, SOFTMAX",
    "SWISH, MEAN_ABSOLUTE_ERROR, SIGMOID",
    "GELU, POISSON, SOFTPLUS",
    "IDENTITY, XENT, SIGMOID",
    "SELU, COSINE_PROXIMITY, SIGMOID"
  })
  void anyActivationAndLossIsDeeplearning4js(
      Activation activation, LossFunction loss, Activation last) {
    MultiLayerConfiguration model =
        TestModels.stack(SMALL, 7, activation, loss, last, UnaryOperator.identity());
    assertSame(
        StackLearner.class,
        TestModels.spec(model),
        SMALL,
        List.of(
            TestModels.batch(SMALL, 6, 6),
            TestModels.sparseBatch(SMALL, 11, 11),
            TestModels.batch(SMALL, 6, 6)));
  }

  @ParameterizedTest
  @EnumSource(names = {"MCXENT", "NEGATIVELOGLIKELIHOOD"})
  void classWeightsAreDeeplearning4js(LossFunction loss) {
    MultiLayerConfiguration model =
        TestModels.stack(
            SMALL, 7, Activation.TANH, loss, Activation.SOFTMAX, UnaryOperator.identity());
    ModelSpec spec = TestModels.spec(model).withClassWeights(CLASS_WEIGHTS);
    assertSame(
        StackLearner.class,
        spec,
        SMALL,
        List.of(TestModels.batch(SMALL, 6, 6), TestModels.sparseBatch(SMALL, 11, 11)));
  }

  /** Each learner counts the gradient and the losses of a sample as often as its class. */
  @ParameterizedTest
  @ValueSource(strings = {"dense", "convolution", "deep"})
  void aSampleCountsAsOftenAsItsClass(String kind) {
    ModelSpec plain =
        kind.equals("convolution")
            ? Models.of("cnn", CLASSES_OF_DIGITS, 3)
            : TestModels.spec(TestModels.stack(SMALL, UnaryOperator.identity()));
    Shape shape = kind.equals("convolution") ? CLASSES_OF_DIGITS : SMALL;
    ModelSpec weighted = plain.withClassWeights(CLASS_WEIGHTS);
    Batch batch = TestModels.batch(shape, 12, 7);
    try (Learner once = create(kind, plain, shape);
        Learner weighing = create(kind, weighted, shape)) {
      float[] weights = TestModels.initial(once);
      Computed actual = compute(weighing, weights, batch);
      double[] sum = new double[weights.length];
      double loss = 0;
      for (int i = 0; i < batch.size(); i++) {
        Computed one = compute(once, weights, batch.part(i, 1));
        double weight = CLASS_WEIGHTS[batch.labels()[i]];
        loss += weight * one.loss();
        for (int j = 0; j < sum.length; j++) {
          sum[j] += weight * one.gradient()[j];
        }
      }
      assertThat(actual.loss()).isCloseTo(loss, within(1e-4 * loss));
      assertThat(actual.score().lossSum()).isCloseTo(loss, within(1e-4 * loss));
      for (int j = 0; j < sum.length; j++) {
        assertThat((double) actual.gradient()[j]).isCloseTo(sum[j], within(2e-4));
      }
      assertSameBits(compute(weighing, weights, batch), actual);
    }
  }

  private static Learner create(String kind, ModelSpec spec, Shape shape) {
    return kind.equals("deep") ? Learners.deep(spec, shape) : Learners.create(spec, shape);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void gradientIsTheSlopeOfTheLoss(boolean fast) {
    ModelSpec spec =
        TestModels.spec(TestModels.stack(SMALL, builder -> builder.l2(0.01).l1(0.001)));
    Batch batch = TestModels.batch(SMALL, 9, 1);
    try (Learner learner = fast ? Learners.create(spec, SMALL) : Learners.deep(spec, SMALL)) {
      float[] weights = TestModels.initial(learner);
      float[] gradient = new float[weights.length];
      learner.gradient(weights, batch, gradient);
      float[] ignored = new float[weights.length];
      float h = 1e-2f;
      int biases = SMALL.features() * 7;
      for (int i = 0; i < weights.length; i += 5) {
        float w = weights[i];
        weights[i] = w + h;
        double above = learner.gradient(weights, batch, ignored);
        weights[i] = w - h;
        double below = learner.gradient(weights, batch, ignored);
        weights[i] = w;
        boolean bias = (i >= biases && i < biases + 7) || i >= weights.length - SMALL.classes();
        double penalty = bias ? 0 : batch.size() * (0.01 * w + 0.001 * Math.signum(w));
        assertThat((double) gradient[i])
            .as("gradient %d", i)
            .isCloseTo((above - below) / (2 * h) + penalty, within(2e-3));
      }
    }
  }

  @Test
  void stepsAreThoseOfDeeplearning4jsFit() {
    for (String name : List.of("sgd", "momentum", "adam")) {
      UpdaterSpec updaterSpec = UpdaterSpec.of(name, OptionalDouble.empty());
      ModelSpec spec =
          TestModels.spec(
              TestModels.stack(
                  SMALL, builder -> builder.l2(0.01).updater(updaterSpec.toDeeplearning4j())));
      assertThat(spec.updater()).isEqualTo(updaterSpec);
      try (Learner learner = Learners.create(spec, SMALL)) {
        float[] weights = TestModels.initial(learner);
        MultiLayerNetwork network = TestModels.network(spec, weights);
        Updater updater = spec.updater().create();
        float[][] state = spec.initialState(updaterSpec, weights.length);
        float[] gradient = new float[weights.length];
        for (int step = 0; step < 20; step++) {
          Batch batch = TestModels.batch(SMALL, 8, step);
          learner.gradient(weights, batch, gradient);
          Range all = Range.ofLength(weights.length);
          updater.step(weights, state, 0, new Step(all, gradient, batch.size(), step));
          network.fit(TestModels.features(batch), TestModels.labels(batch, SMALL.classes()));
        }
        float[] theirs =
            ParameterOrder.of(spec.parsed())
                .fromDeeplearning4j(NativeVectors.toArray(network.params()));
        for (int i = 0; i < weights.length; i++) {
          assertThat(weights[i]).as(name + " weight %d", i).isCloseTo(theirs[i], within(2e-5f));
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"logistic", "mlp", "cnn", "cnn-cifar", "normalised", "recurrent"})
  void sameBitsInEveryInstanceAndThread(String model) throws Exception {
    Shape shape = model.equals("cnn-cifar") ? new Shape(3, 16, 16, 10) : DIGITS;
    ModelSpec spec =
        switch (model) {
          case "normalised" -> TestModels.spec(normalised());
          case "recurrent" -> TestModels.spec(recurrent());
          default -> Models.of(model, shape, 9);
        };
    Batch batch = TestModels.batch(shape, 20, 4);
    Batch other = TestModels.sparseBatch(shape, 33, 5);
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      List<Future<List<Computed>>> runs = new ArrayList<>();
      for (int t = 0; t < 3; t++) {
        runs.add(
            threads.submit(
                () -> {
                  try (Learner learner = Learners.create(spec, shape)) {
                    float[] weights = TestModels.initial(learner);
                    Computed first = compute(learner, weights, batch);
                    compute(learner, weights, other);
                    return List.of(first, compute(learner, weights, batch));
                  }
                }));
      }
      Computed expected = runs.get(0).get().get(0);
      for (Future<List<Computed>> run : runs) {
        for (Computed computed : run.get()) {
          assertThat(computed.gradient()).isEqualTo(expected.gradient());
          assertThat(computed.loss()).isEqualTo(expected.loss());
          assertThat(computed.score()).isEqualTo(expected.score());
        }
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** Returns a model with batch normalisation and dropout of images and of rows. */
  private static MultiLayerConfiguration normalised() {
    return new NeuralNetConfiguration.Builder()
        .seed(9)
        .list()
        .layer(new ConvolutionLayer.Builder(3, 3).nOut(4).activation(Activation.IDENTITY).build())
        .layer(new BatchNormalization.Builder().build())
        .layer(new ActivationLayer(Activation.ELU))
        .layer(new DropoutLayer.Builder(0.7).build())
        .layer(new DenseLayer.Builder().nOut(20).dropOut(0.5).activation(Activation.TANH).build())
        .layer(new BatchNormalization.Builder().build())
        .layer(output())
        .setInputType(InputType.convolutionalFlat(28, 28, 1))
        .build();
  }

  private static MultiLayerConfiguration recurrent() {
    return new NeuralNetConfiguration.Builder()
        .seed(9)
        .list()
        .layer(new LastTimeStep(new LSTM.Builder().nOut(8).dropOut(0.8).build()))
        .layer(output())
        .setInputType(InputType.recurrent(28, 28))
        .build();
  }

  private static OutputLayer output() {
    return new OutputLayer.Builder(LossFunction.MCXENT)
        .nOut(10)
        .activation(Activation.SOFTMAX)
        .build();
  }

  @ParameterizedTest
  @ValueSource(strings = {"logistic", "mlp", "cnn"})
  void deepGradientIsTheSumOverSamples(String preset) {
    ModelSpec spec = Models.of(preset, DIGITS, 9);
    try (Learner learner = Learners.deep(spec, DIGITS)) {
      float[] weights = TestModels.initial(learner);
      Batch once = TestModels.batch(DIGITS, 4, 4);
      float[] features = once.features().toArray();
      float[] twiceFeatures = new float[features.length * 2];
      int[] twiceLabels = new int[8];
      for (int i = 0; i < 2; i++) {
        System.arraycopy(features, 0, twiceFeatures, i * features.length, features.length);
        System.arraycopy(once.labels(), 0, twiceLabels, i * 4, 4);
      }
      Computed one = compute(learner, weights, once);
      Computed two =
          compute(learner, weights, TestModels.batch(DIGITS, twiceFeatures, twiceLabels));
      assertThat(two.loss()).isCloseTo(2 * one.loss(), within(1e-4));
      for (int i = 0; i < weights.length; i += 97) {
        assertThat(two.gradient()[i]).isCloseTo(2 * one.gradient()[i], within(1e-4f));
      }
      assertThat(two.score().correct()).isEqualTo(2 * one.score().correct());
      assertThat(two.score().loss()).isCloseTo(one.score().loss(), within(1e-5));
      // Deeplearning4j returns the loss as a float.
      assertThat(one.score().lossSum()).isCloseTo(one.loss(), within(1e-4));
    }
  }

  @Test
  void presetsHaveTheExpectedSize() {
    assertThat(length("logistic", DIGITS)).isEqualTo(7_850);
    assertThat(length("mlp", DIGITS)).isEqualTo(407_050);
    assertThat(length("cnn", DIGITS)).isEqualTo(237_590);
    assertThat(length("cnn", new Shape(3, 32, 40, 7))).isPositive();
    assertThat(length("cnn", new Shape(1, 8, 9, 2))).isPositive();
    assertThat(length("mlp", Shape.rows(54, 3))).isEqualTo(54 * 512 + 512 + 512 * 3 + 3);
  }

  private static int length(String preset, Shape shape) {
    try (Learner learner = Learners.create(Models.of(preset, shape, 1), shape)) {
      return learner.length();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"logistic", "mlp", "cnn"})
  void learns(String preset) {
    Shape shape = new Shape(1, 8, 8, 4);
    ModelSpec spec = Models.of(preset, shape, 1);
    Batch batch = TestModels.batch(shape, 40, 2);
    for (int i = 0; i < batch.size(); i++) {
      // A bright quadrant marks the class.
      int corner = (batch.labels()[i] / 2) * 32 + (batch.labels()[i] % 2) * 4;
      for (int y = 0; y < 4; y++) {
        for (int x = 0; x < 4; x++) {
          batch.features().values()[i * 64 + corner + y * 8 + x] += 1;
        }
      }
    }
    UpdaterSpec updater = UpdaterSpec.of("adam", OptionalDouble.empty());
    Updater steps = updater.create();
    try (Learner learner = Learners.create(spec, shape)) {
      float[] weights = TestModels.initial(learner);
      float[][] state = spec.initialState(updater, weights.length);
      float[] gradient = new float[weights.length];
      Range all = Range.ofLength(weights.length);
      for (int step = 0; step < STEPS; step++) {
        learner.gradient(weights, batch, gradient);
        steps.step(weights, state, 0, new Step(all, gradient, 40, step));
      }
      assertThat(learner.evaluate(weights, batch).accuracy()).isGreaterThan(0.9);
    }
  }

  @Test
  void nativeMathDescribesItself() {
    assertThat(NativeMath.describe())
        .startsWith("ND4J ")
        .contains("OpenBLAS ")
        .matches(".*product [0-9a-f]{8}")
        .isEqualTo(NativeMath.describe());
  }
}
