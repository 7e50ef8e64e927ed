package dev.braid.learner.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.learner.Shape;
import dev.braid.learner.TestModels;
import dev.braid.learner.math.NativeMath;
import dev.braid.learner.math.NativeVectors;
import dev.braid.learner.network.Learners;
import dev.braid.learner.optimiser.Clipping;
import dev.braid.learner.optimiser.EpochSchedule;
import dev.braid.learner.optimiser.Optimiser;
import dev.braid.learner.optimiser.Pace;
import dev.braid.learner.optimiser.ParameterKinds;
import dev.braid.learner.optimiser.Step;
import dev.braid.learner.optimiser.Updater;
import dev.braid.learner.optimiser.UpdaterSpec;
import dev.braid.learner.structure.ParameterOrder;
import dev.braid.vector.Range;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** Compares steps over parameters of different kinds with Deeplearning4j's. */
class OptimiserTest {

  static final List<String> updaters = UpdaterSpec.NAMES;

  private static final Shape SHAPE = Shape.rows(6, 3);
  private static final int BATCH = 20;
  private static final float TOLERANCE = 1e-5f;

  /**
   * Returns a model with weights that decay by the model's setting or by the layer's, biases that
   * decay, and running statistics in between.
   */
  private static MultiLayerConfiguration model(UpdaterSpec updater) {
    return new NeuralNetConfiguration.Builder()
        .seed(5)
        .updater(updater.toDeeplearning4j())
        .weightDecay(0.05)
        .list()
        .layer(
            new DenseLayer.Builder()
                .nIn(6)
                .nOut(8)
                .activation(Activation.IDENTITY)
                // A bias before a normalisation has a gradient of rounding errors only.
                .hasBias(false)
                .weightDecay(0.3)
                .build())
        .layer(new BatchNormalization.Builder().nIn(8).nOut(8).build())
        .layer(new DenseLayer.Builder().nIn(8).nOut(5).activation(Activation.TANH).l2(0.01).build())
        .layer(new BatchNormalization.Builder().nIn(5).nOut(5).useLogStd(false).build())
        .layer(
            new OutputLayer.Builder(LossFunction.MCXENT)
                .nIn(5)
                .nOut(3)
                .activation(Activation.SOFTMAX)
                .weightDecay(0.1, false)
                .weightDecayBias(0.2)
                .build())
        .build();
  }

  @ParameterizedTest
  @FieldSource("updaters")
  void stepsAreDeeplearning4js(String name) {
    NativeMath.useOneThread();
    UpdaterSpec updater = UpdaterSpec.of(name, OptionalDouble.of(0.01));
    ModelSpec spec = TestModels.spec(model(updater));
    Updater steps = optimiser(spec, updater, Clipping.NONE).create(Pace.STEPS);
    try (Learner learner = Learners.create(spec, SHAPE)) {
      assertThat(learner.getClass().getSimpleName()).isEqualTo("StackLearner");
      float[] weights = TestModels.initial(learner);
      float[][] state = spec.initialState(updater, weights.length);
      MultiLayerNetwork network = TestModels.network(spec, weights);
      float[] gradient = new float[weights.length];
      for (int step = 0; step < 8; step++) {
        Batch batch = TestModels.batch(SHAPE, BATCH, step);
        learner.gradient(weights, batch, gradient);
        steps.step(weights, state, 0, new Step(gradient, BATCH, step));
        network.fit(TestModels.features(batch), TestModels.labels(batch, 3));
      }
      float[] expected =
          ParameterOrder.of(spec.parsed())
              .fromDeeplearning4j(NativeVectors.toArray(network.params()));
      for (int i = 0; i < weights.length; i++) {
        assertThat(weights[i]).as("parameter %d", i).isCloseTo(expected[i], within(TOLERANCE));
      }
      if (state.length > 0) {
        float[] theirs = NativeVectors.toArray(network.getUpdater().getStateViewArray());
        float[] ours = UpdaterState.of(spec.parsed()).toDeeplearning4j(state);
        assertThat(ours).hasSameSizeAs(theirs);
        for (int i = 0; i < ours.length; i++) {
          assertThat(ours[i]).as("state %d", i).isCloseTo(theirs[i], within(TOLERANCE));
        }
        assertThat(
                UpdaterState.of(spec.parsed())
                    .fromDeeplearning4j(ours, state.length, weights.length))
            .as("and back, without what running statistics have no need of")
            .satisfies(back -> assertThat(back[0]).startsWith(Arrays.copyOf(state[0], 48)));
      }
    }
  }

  private static Optimiser optimiser(ModelSpec spec, UpdaterSpec updater, Clipping clipping) {
    return new Optimiser(updater, EpochSchedule.CONSTANT, clipping, spec.parameters(), 0);
  }

  /**
   * The bits do not depend on the pieces in which a vector is stepped, and others may read the
   * gradient.
   */
  @Test
  void piecesGiveTheSameBits_andTheGradientStays() {
    UpdaterSpec updater = new UpdaterSpec.Adam(0.01, 0.9, 0.999, 1e-8);
    ModelSpec spec = TestModels.spec(model(updater));
    try (Learner learner = Learners.create(spec, SHAPE)) {
      float[] whole = TestModels.initial(learner);
      float[] pieces = whole.clone();
      float[][] wholeState = new float[2][whole.length];
      float[][] piecesState = new float[2][whole.length];
      float[] gradient = new float[whole.length];
      learner.gradient(whole, TestModels.batch(SHAPE, BATCH, 1), gradient);
      float[] before = gradient.clone();
      Updater steps = optimiser(spec, updater, Clipping.NONE).create(Pace.STEPS);
      Range all = Range.ofLength(whole.length);
      steps.step(whole, wholeState, 0, new Step(all, gradient, BATCH, 0));
      for (int i = 0; i < all.chunks(7); i++) {
        steps.step(pieces, piecesState, 0, new Step(all.chunk(i, 7), gradient, BATCH, 0));
      }
      assertThat(pieces).isEqualTo(whole);
      assertThat(gradient).isEqualTo(before);
    }
  }

  /** A limit of nearly 0 stops the weights, but not the statistics that follow the batches. */
  @Test
  void clippingLeavesStatisticsAlone() {
    UpdaterSpec updater = new UpdaterSpec.Sgd(0.1);
    ModelSpec spec = TestModels.spec(model(updater)).withWeightDecay(0);
    try (Learner learner = Learners.create(spec, SHAPE)) {
      float[] weights = TestModels.initial(learner);
      float[] clipped = weights.clone();
      float[] gradient = new float[weights.length];
      learner.gradient(weights, TestModels.batch(SHAPE, BATCH, 1), gradient);
      Range all = Range.ofLength(weights.length);
      optimiser(spec, updater, Clipping.NONE)
          .create(Pace.STEPS)
          .step(weights, new float[0][], 0, new Step(all, gradient, BATCH, 0));
      optimiser(spec, updater, new Clipping.ByNorm(1e-20))
          .create(Pace.STEPS)
          .step(clipped, new float[0][], 0, new Step(all, gradient, BATCH, 0));
      for (Range statistic : spec.parameters().statistics()) {
        for (int i = statistic.start(); i < statistic.end(); i++) {
          assertThat(clipped[i]).isEqualTo(weights[i]);
        }
      }
      assertThat(clipped[0]).isNotEqualTo(weights[0]);
    }
  }

  /**
   * If each rank's gradients are applied one by one, all steps of a round together decay as one
   * step does.
   */
  @Test
  void partsOfARoundDecayByTheirShare() {
    UpdaterSpec updater = new UpdaterSpec.Sgd(0.1);
    ModelSpec spec = TestModels.spec(model(updater)).withWeightDecay(0.5);
    Updater steps =
        new Optimiser(updater, EpochSchedule.CONSTANT, Clipping.NONE, spec.parameters(), BATCH)
            .create(Pace.STEPS);
    int length = spec.parameters().statistics().get(0).end();
    float[] weights = new float[length + 100];
    weights[0] = 1;
    for (int rank = 0; rank < 4; rank++) {
      Step step = new Step(Range.ofLength(length), new float[weights.length], 4 * BATCH, 0);
      steps.step(weights, new float[0][], 0, step);
    }
    assertThat(weights[0]).isCloseTo((float) Math.pow(1 - 0.05 / 4, 4), within(1e-6f));
  }

  /** A decay that a single step's rounding would lose, or make twice as large. */
  @ParameterizedTest
  @ValueSource(doubles = {1e-9, 3e-8, 1e-7, 1e-6})
  void smallDecaysAddUp(double share) {
    UpdaterSpec updater = new UpdaterSpec.Sgd(1);
    Range all = Range.ofLength(2000);
    ParameterKinds decaying =
        new ParameterKinds(List.of(), List.of(new ParameterKinds.Decay(all, share, true)));
    Updater steps =
        new Optimiser(updater, EpochSchedule.CONSTANT, Clipping.NONE, decaying, 0)
            .create(Pace.STEPS);
    Random random = new Random(3);
    float[] weights = new float[all.length()];
    Arrays.fill(weights, 0.75f);
    double[] exact = new double[all.length()];
    Arrays.fill(exact, 0.75);
    float[] gradient = new float[all.length()];
    double decayed = 0;
    for (int step = 0; step < 1000; step++) {
      for (int i = 0; i < gradient.length; i++) {
        gradient[i] = (random.nextFloat() - 0.5f) * 1e-3f;
        exact[i] -= gradient[i];
      }
      decayed += share * 0.75;
      steps.step(weights, new float[0][], 0, new Step(all, gradient, 1, step));
    }
    double lost = 0;
    for (int i = 0; i < weights.length; i++) {
      lost += (exact[i] - weights[i]) / weights.length;
    }
    assertThat(lost / decayed).isCloseTo(1, within(0.05));
  }

  @Test
  void anotherDecayTakesThePlaceOfAll() {
    UpdaterSpec updater = new UpdaterSpec.Sgd(0.1);
    ModelSpec spec = TestModels.spec(model(updater));
    assertThat(spec.parameters().decays()).hasSize(6);
    assertThat(spec.withWeightDecay(0).parameters().decays()).isEmpty();
    assertThat(spec.withWeightDecay(0.5).parameters().decays())
        .as("of three layers' weights")
        .hasSize(3)
        .allMatch(decay -> decay.share() == 0.5 && decay.timesLearningRate());
  }
}
