package dev.braid.learner.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.learner.Learner;
import dev.braid.learner.Shape;
import dev.braid.learner.TestModels;
import dev.braid.learner.model.ModelInput;
import dev.braid.learner.model.ModelSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.deeplearning4j.nn.conf.ConvolutionMode;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration.ListBuilder;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.ActivationLayer;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.DropoutLayer;
import org.deeplearning4j.nn.conf.layers.GlobalPoolingLayer;
import org.deeplearning4j.nn.conf.layers.LSTM;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.PoolingType;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer;
import org.deeplearning4j.nn.conf.layers.recurrent.LastTimeStep;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** Tests that Braid's forward pass gives Deeplearning4j's scores. */
class ScoringNetworkTest {

  private static final float ROUNDING = 1e-5f;
  private static final int[] BATCHES = {1, 2, 7, 100, 257, 1};
  private static final Shape ROWS = Shape.rows(37, 4);
  private static final Shape IMAGES = new Shape(2, 9, 8, 4);
  private static final Shape DIGITS = new Shape(1, 28, 28, 10);

  @Test
  void presets() {
    check(Models.of("logistic", Shape.rows(100, 2), 1), Shape.rows(100, 2));
    check(Models.of("mlp", DIGITS, 1), DIGITS);
    check(Models.of("cnn", DIGITS, 1), DIGITS);
  }

  @Test
  void values() {
    Shape shape = Shape.rows(13, 2).withValues(3);
    check(Models.of("logistic", shape, 1), shape);
    check(Models.of("mlp", shape, 1), shape);
  }

  @ParameterizedTest
  @EnumSource(
      value = Activation.class,
      mode = EnumSource.Mode.EXCLUDE,
      // Is random in training, and has parameters of its own.
      names = {"RRELU"})
  void activations(Activation activation) {
    check(
        TestModels.spec(
            TestModels.stack(
                ROWS, 35, activation, LossFunction.MCXENT, Activation.SOFTMAX, it -> it)),
        ROWS);
  }

  @ParameterizedTest
  @EnumSource(names = {"IDENTITY", "SIGMOID", "TANH", "SOFTPLUS"})
  void outputActivations(Activation last) {
    check(
        TestModels.spec(
            TestModels.stack(ROWS, 70, Activation.RELU, LossFunction.MSE, last, it -> it)),
        ROWS);
  }

  static Stream<List<Layer>> imageLayers() {
    return Stream.of(
        List.of(convolution(3, 3).build()),
        List.of(convolution(3, 2).convolutionMode(ConvolutionMode.Same).nOut(20).build()),
        List.of(
            convolution(3, 3).nOut(17).hasBias(false).build(),
            convolution(2, 2).nOut(40).activation(Activation.TANH).build()),
        List.of(convolution(2, 2).build(), pooling(PoolingType.MAX), pooling(PoolingType.AVG)),
        List.of(
            convolution(3, 3).build(),
            new DropoutLayer.Builder(0.5).build(),
            new BatchNormalization.Builder().build(),
            new ActivationLayer.Builder().activation(Activation.LEAKYRELU).build(),
            new GlobalPoolingLayer.Builder(PoolingType.AVG).build(),
            new DenseLayer.Builder().nOut(5).activation(Activation.SELU).build(),
            new BatchNormalization.Builder().build()));
  }

  private static ConvolutionLayer.Builder convolution(int height, int width) {
    return new ConvolutionLayer.Builder(height, width).nOut(3).activation(Activation.RELU);
  }

  private static Layer pooling(PoolingType type) {
    return new SubsamplingLayer.Builder(type).kernelSize(2, 2).stride(2, 2).build();
  }

  @ParameterizedTest
  @MethodSource("imageLayers")
  void layersOfImages(List<Layer> layers) {
    check(model(layers, InputType.convolutionalFlat(9, 8, 2)), IMAGES);
  }

  @Test
  void layersBeforeTheFirstProduct() {
    check(
        model(
            List.of(
                new BatchNormalization.Builder().build(),
                new DenseLayer.Builder().nOut(33).dropOut(0.5).build()),
            InputType.feedForward(ROWS.features())),
        ROWS);
  }

  @Test
  void otherModelsAreDeeplearning4js() {
    Shape shape = new Shape(1, 6, 5, 4);
    ModelSpec spec =
        weighted(
            model(
                List.of(new LastTimeStep(new LSTM.Builder().nOut(3).build())),
                InputType.recurrent(5, 6)),
            shape);
    try (ScoringNetwork network = Learners.scoring(spec, shape)) {
      assertThat(network).isInstanceOf(DeepScoring.class);
      assertThat(network.scores(new float[2 * shape.features()], 2)).hasSize(8);
    }
  }

  @Test
  void closingFreesTheNetwork() {
    ModelSpec spec = weighted(Models.of("logistic", ROWS, 1), ROWS);
    MultiLayerNetwork network = Learners.weighted(spec);
    deep(spec, network, ROWS).close();
    assertThat(network.params().wasClosed()).isTrue();
  }

  private static ModelSpec model(List<Layer> layers, InputType input) {
    ListBuilder list = new NeuralNetConfiguration.Builder().seed(5).list();
    layers.forEach(list::layer);
    return TestModels.spec(
        list.layer(
                new OutputLayer.Builder(LossFunction.MCXENT)
                    .nOut(4)
                    .activation(Activation.SOFTMAX)
                    .build())
            .setInputType(input)
            .build());
  }

  private static ModelSpec weighted(ModelSpec spec, Shape shape) {
    try (Learner learner = Learners.create(spec, shape)) {
      float[] weights = TestModels.initial(learner);
      Random random = new Random(7);
      for (int i = 0; i < weights.length; i++) {
        // Biases must not be 0, and variances must stay above 0.
        weights[i] += 0.01f * random.nextFloat();
      }
      return spec.with(weights, new float[0][], 0);
    }
  }

  private static DeepScoring deep(ModelSpec spec, MultiLayerNetwork network, Shape shape) {
    ModelInput input = ModelInput.of(spec, network.getLayerWiseConfigurations(), shape);
    return new DeepScoring(network, input, shape.features());
  }

  private static void check(ModelSpec model, Shape shape) {
    ModelSpec spec = weighted(model, shape);
    try (ScoringNetwork own = Learners.scoring(spec, shape);
        ScoringNetwork theirs = deep(spec, Learners.weighted(spec), shape)) {
      assertThat(own).isInstanceOf(StackScoring.class);
      Random random = new Random(3);
      for (int rows : BATCHES) {
        // The array has one sample more than is scored.
        float[] features = new float[(rows + 1) * shape.features()];
        for (int i = 0; i < features.length; i++) {
          features[i] = 2 * random.nextFloat() - 1;
        }
        float[] scores = own.scores(features, rows);
        assertThat(scores).containsExactly(theirs.scores(features, rows), within(ROUNDING));
        int last = rows - 1;
        float[] ofLast =
            own.scores(Arrays.copyOfRange(features, last * shape.features(), features.length), 1);
        assertThat(Arrays.copyOfRange(scores, last * shape.outputs(), scores.length))
            .containsExactly(ofLast, within(ROUNDING / 10));
      }
    }
  }
}
