package dev.braid.learner.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.braid.learner.Batch;
import dev.braid.learner.Combination;
import dev.braid.learner.Learner;
import dev.braid.learner.MatrixSamples;
import dev.braid.learner.Shape;
import dev.braid.learner.TestModels;
import dev.braid.learner.model.ModelSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** Tests gradients of batches whose samples have coefficients. */
class CombinationsTest {

  private static final Shape IMAGES = new Shape(1, 8, 8, 3);

  /** Uses penalties, softmax or another loss, dense or sparse features, and convolutions. */
  @Property(tries = 30, shrinking = ShrinkingMode.OFF)
  void aCombinationIsTheSumOfSingleGradients_eachTimesItsCoefficient(@ForAll long seed) {
    Random random = new Random(seed);
    ModelSpec spec = TestModels.spec(random.nextBoolean() ? dense(random) : convolution());
    int size = 1 + random.nextInt(12);
    Batch batch =
        random.nextBoolean()
            ? TestModels.batch(IMAGES, size, seed)
            : TestModels.sparseBatch(IMAGES, size, seed);
    float[] coefficients = new float[size];
    for (int i = 0; i < size; i++) {
      coefficients[i] = (float) random.nextGaussian();
    }
    try (Learner learner = Learners.create(spec, IMAGES)) {
      float[] weights = TestModels.initial(learner);
      double[] expected = new double[weights.length];
      double lossSum = 0;
      for (int row = 0; row < size; row++) {
        float[] single = new float[weights.length];
        lossSum += learner.gradient(weights, row(batch, row), single);
        for (int i = 0; i < single.length; i++) {
          expected[i] += coefficients[row] * (double) single[i];
        }
      }
      float[] gradient = new float[weights.length];
      Batch combined = batch.combined(new Combination(coefficients, new int[0], 99));
      double loss = learner.gradient(weights, combined, gradient);

      assertThat(loss).as("the loss is without coefficients").isCloseTo(lossSum, within(1e-4));
      double largest = Arrays.stream(expected).map(Math::abs).max().orElseThrow();
      for (int i = 0; i < expected.length; i++) {
        assertThat((double) gradient[i]).isCloseTo(expected[i], within(1e-5 * largest + 1e-6));
      }
    }
  }

  /** Features may be copied part by part. */
  @Property(tries = 30, shrinking = ShrinkingMode.OFF)
  void partByPartAGradientIsTheSame_upToRounding(@ForAll long seed) {
    Random random = new Random(seed);
    ModelSpec spec = TestModels.spec(random.nextBoolean() ? dense(random) : convolution());
    int size = 1 + random.nextInt(12);
    boolean isSparse = random.nextBoolean();
    Batch whole =
        isSparse
            ? TestModels.sparseBatch(IMAGES, size, seed)
            : TestModels.batch(IMAGES, size, seed);
    float[] coefficients = new float[size];
    for (int i = 0; i < size; i++) {
      coefficients[i] = (float) random.nextGaussian();
    }
    Combination combination = new Combination(coefficients, new int[0], 99);
    MatrixSamples samples = new MatrixSamples(whole.features().toArray(), whole.labels(), IMAGES);
    Batch deferred = samples.deferredBatch(0, whole.ids(), false).combined(combination);
    try (Learner learner = Learners.create(spec, IMAGES)) {
      float[] weights = TestModels.initial(learner);
      float[] expected = new float[weights.length];
      double loss = learner.gradient(weights, whole.combined(combination), expected);
      Learner partwise = new PartwiseLearner(learner, 1 + random.nextInt(6));
      for (Batch batch : List.of(deferred, whole.combined(combination))) {
        float[] gradient = new float[weights.length];
        assertThat(partwise.gradient(weights, batch, gradient)).isCloseTo(loss, within(1e-4));
        double largest = 0;
        for (float value : expected) {
          largest = Math.max(largest, Math.abs(value));
        }
        for (int i = 0; i < expected.length; i++) {
          assertThat((double) gradient[i]).isCloseTo(expected[i], within(1e-5 * largest + 1e-6));
        }
      }
    }
  }

  @Test
  void coefficientsOfOneChangeNoBit() {
    ModelSpec spec = TestModels.spec(convolution());
    Batch batch = TestModels.batch(IMAGES, 5, 1);
    float[] ones = {1, 1, 1, 1, 1};
    try (Learner learner = Learners.create(spec, IMAGES)) {
      float[] weights = TestModels.initial(learner);
      float[] plain = new float[weights.length];
      learner.gradient(weights, batch, plain);
      float[] combined = new float[weights.length];
      learner.gradient(weights, batch.combined(new Combination(ones, new int[0], 5)), combined);
      assertThat(combined).isEqualTo(plain);
    }
  }

  @Test
  void whereSamplesDependOnEachOther_orLayersAreDeeplearning4js_nothingIsCombined() {
    assertThat(Learners.combines(convolution())).isTrue();
    MultiLayerConfiguration normalised =
        new NeuralNetConfiguration.Builder()
            .list()
            .layer(new DenseLayer.Builder().nIn(64).nOut(4).build())
            .layer(new BatchNormalization.Builder().build())
            .layer(output().build())
            .setInputType(InputType.feedForward(64))
            .build();
    assertThat(Learners.combines(normalised)).isFalse();
    try (Learner deep = Learners.deep(TestModels.spec(convolution()), IMAGES)) {
      float[] weights = TestModels.initial(deep);
      float[] gradient = new float[weights.length];
      Batch batch =
          TestModels.batch(IMAGES, 1, 1).combined(new Combination(new float[] {2}, new int[0], 1));
      assertThatThrownBy(() -> deep.gradient(weights, batch, gradient))
          .hasMessageContaining("linear combination");
    }
  }

  @Test
  void eachSampleNeedsACoefficient() {
    Batch batch = TestModels.batch(IMAGES, 3, 1);
    Combination two = new Combination(new float[2], new int[0], 3);
    assertThatThrownBy(() -> batch.combined(two)).hasMessage("2 coefficients for 3 samples");
  }

  private static Batch row(Batch batch, int row) {
    int width = IMAGES.features();
    float[] features =
        Arrays.copyOfRange(batch.features().toArray(), row * width, (row + 1) * width);
    return TestModels.batch(IMAGES, features, new int[] {batch.labels()[row]});
  }

  private static MultiLayerConfiguration dense(Random random) {
    boolean softmax = random.nextBoolean();
    return TestModels.stack(
        IMAGES,
        7,
        Activation.TANH,
        softmax ? LossFunction.MCXENT : LossFunction.MSE,
        softmax ? Activation.SOFTMAX : Activation.IDENTITY,
        settings -> settings.l2(0.01).l1(0.001));
  }

  private static MultiLayerConfiguration convolution() {
    return new NeuralNetConfiguration.Builder()
        .seed(5)
        .l2(0.01)
        .list()
        .layer(new ConvolutionLayer.Builder(3, 3).nOut(4).activation(Activation.RELU).build())
        .layer(output().build())
        .setInputType(InputType.convolutionalFlat(8, 8, 1))
        .build();
  }

  private static OutputLayer.Builder output() {
    return new OutputLayer.Builder(LossFunction.MCXENT).nOut(3).activation(Activation.SOFTMAX);
  }
}
