package dev.braid.learner.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.braid.learner.InvalidModelException;
import dev.braid.learner.Learner;
import dev.braid.learner.Shape;
import dev.braid.learner.TestModels;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.network.Classifier;
import dev.braid.learner.network.Learners;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.deeplearning4j.nn.conf.ConvolutionMode;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.ActivationLayer;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.DropoutLayer;
import org.deeplearning4j.nn.conf.layers.GlobalPoolingLayer;
import org.deeplearning4j.nn.conf.layers.LSTM;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.LocalResponseNormalization;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.PoolingType;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer;
import org.deeplearning4j.nn.conf.layers.ZeroPaddingLayer;
import org.deeplearning4j.nn.conf.layers.recurrent.LastTimeStep;
import org.deeplearning4j.nn.conf.layers.recurrent.SimpleRnn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.activations.IActivation;
import org.nd4j.linalg.activations.impl.ActivationGELU;
import org.nd4j.linalg.activations.impl.ActivationReLU;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** Tests that ONNX Runtime computes the same as Deeplearning4j. */
class OnnxLayersTest {

  private static final int SAMPLES = 5;
  private static final double MOST = 1e-5;
  private static final Shape ROWS = Shape.rows(7, 4);
  private static final Shape IMAGES = new Shape(2, 9, 8, 4);
  private static final Shape SEQUENCES = new Shape(1, 6, 5, 4);

  @ParameterizedTest
  @EnumSource(
      value = Activation.class,
      mode = EnumSource.Mode.EXCLUDE,
      // Is random in training, and has parameters of its own.
      names = {"RRELU"})
  void activations(Activation activation) {
    check(
        TestModels.stack(
            ROWS, 6, activation, LossFunction.MCXENT, Activation.SOFTMAX, builder -> builder),
        ROWS);
  }

  static Stream<List<Layer>> imageLayers() {
    return Stream.of(
        List.of(convolution(3, 3).build()),
        List.of(convolution(2, 3).stride(2, 1).padding(1, 0).hasBias(false).build()),
        List.of(convolution(3, 2).convolutionMode(ConvolutionMode.Same).stride(2, 2).build()),
        List.of(convolution(2, 2).dilation(2, 3).activation(Activation.TANH).build()),
        List.of(convolution(3, 2).activation(Activation.SOFTMAX).build()),
        List.of(pooling(PoolingType.MAX).padding(1, 1).build()),
        List.of(pooling(PoolingType.MAX).dilation(2, 1).build()),
        List.of(pooling(PoolingType.AVG).build()),
        List.of(pooling(PoolingType.AVG).padding(1, 1).build()),
        List.of(pooling(PoolingType.AVG).convolutionMode(ConvolutionMode.Same).build()),
        List.of(pooling(PoolingType.PNORM).pnorm(3).build()),
        List.of(convolution(2, 2).build(), new BatchNormalization.Builder().build()),
        List.of(
            convolution(2, 2).build(),
            new BatchNormalization.Builder().useLogStd(false).lockGammaBeta(true).build()),
        List.of(new LocalResponseNormalization.Builder().n(3).build()),
        List.of(new ZeroPaddingLayer.Builder(1, 2, 0, 3).build(), convolution(2, 2).build()),
        List.of(new GlobalPoolingLayer.Builder(PoolingType.MAX).build()),
        List.of(new GlobalPoolingLayer.Builder(PoolingType.AVG).build()),
        List.of(new GlobalPoolingLayer.Builder(PoolingType.SUM).build()),
        List.of(new GlobalPoolingLayer.Builder(PoolingType.PNORM).pnorm(2).build()),
        List.of(
            convolution(3, 3).build(),
            new DropoutLayer.Builder(0.5).build(),
            new BatchNormalization.Builder().build(),
            new ActivationLayer.Builder().activation(Activation.RELU).build(),
            pooling(PoolingType.MAX).build(),
            new DenseLayer.Builder().nOut(5).activation(Activation.SELU).build(),
            new BatchNormalization.Builder().build()));
  }

  private static ConvolutionLayer.Builder convolution(int height, int width) {
    return new ConvolutionLayer.Builder(height, width).nOut(3).activation(Activation.SIGMOID);
  }

  private static SubsamplingLayer.Builder pooling(PoolingType type) {
    return new SubsamplingLayer.Builder(type).kernelSize(3, 2).stride(2, 2);
  }

  @ParameterizedTest
  @MethodSource("imageLayers")
  void layersOfImages(List<Layer> layers) {
    check(model(layers, InputType.convolutional(9, 8, 2)), IMAGES);
  }

  static Stream<IActivation> activationsWithSettings() {
    return Stream.of(
        new ActivationReLU(1.0, 0.0, 0.2), new ActivationReLU(), new ActivationGELU(true));
  }

  @ParameterizedTest
  @MethodSource("activationsWithSettings")
  void activationsWithSettings(IActivation activation) {
    check(
        model(
            List.of(new DenseLayer.Builder().nOut(6).activation(activation).build()),
            InputType.feedForward(7)),
        ROWS);
  }

  @Test
  void imagesOfRows() {
    check(model(List.of(convolution(3, 3).build()), InputType.convolutionalFlat(9, 8, 2)), IMAGES);
  }

  static Stream<List<Layer>> sequenceLayers() {
    return Stream.of(
        List.of(new LastTimeStep(new LSTM.Builder().nOut(3).build())),
        List.of(
            new LSTM.Builder()
                .nOut(3)
                .activation(Activation.SOFTSIGN)
                .gateActivationFunction(Activation.HARDSIGMOID)
                .build(),
            new LastTimeStep(new SimpleRnn.Builder().nOut(4).build())),
        List.of(
            new SimpleRnn.Builder().nOut(4).activation(Activation.RELU).build(),
            new GlobalPoolingLayer.Builder(PoolingType.MAX).build()),
        List.of(
            new LSTM.Builder().nOut(3).build(),
            new GlobalPoolingLayer.Builder(PoolingType.AVG).build(),
            new ActivationLayer.Builder().activation(Activation.TANH).build()));
  }

  @ParameterizedTest
  @MethodSource("sequenceLayers")
  void layersOfSequences(List<Layer> layers) {
    check(model(layers, InputType.recurrent(5)), SEQUENCES);
  }

  static Stream<MultiLayerConfiguration> refused() {
    InputType images = InputType.convolutional(9, 8, 2);
    return Stream.of(
        model(
            List.of(new DenseLayer.Builder().nOut(3).hasLayerNorm(true).build()),
            InputType.feedForward(7)),
        model(
            List.of(convolution(3, 3).convolutionMode(ConvolutionMode.Same).dilation(2, 2).build()),
            images),
        model(List.of(pooling(PoolingType.AVG).dilation(2, 1).build()), images));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void whatOnnxDoesNotHaveIsRefused(MultiLayerConfiguration model) {
    Shape shape = model.getConf(0).getLayer() instanceof DenseLayer ? ROWS : IMAGES;
    assertThatThrownBy(() -> check(model, shape))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining("layer 0");
  }

  private static MultiLayerConfiguration model(List<Layer> layers, InputType input) {
    NeuralNetConfiguration.ListBuilder list = new NeuralNetConfiguration.Builder().seed(3).list();
    layers.forEach(list::layer);
    return list.layer(
            new OutputLayer.Builder(LossFunction.MCXENT)
                .nOut(4)
                .activation(Activation.SOFTMAX)
                .build())
        .setInputType(input)
        .build();
  }

  private static void check(MultiLayerConfiguration model, Shape shape) {
    ModelSpec spec = TestModels.spec(model);
    float[] weights;
    try (Learner learner = Learners.create(spec, shape)) {
      weights = TestModels.initial(learner);
    }
    Random random = new Random(7);
    for (int i = 0; i < weights.length; i++) {
      // Variances stay above 0.
      weights[i] += 0.3f * random.nextFloat();
    }
    float[] features = new float[SAMPLES * shape.features()];
    for (int i = 0; i < features.length; i++) {
      features[i] = 2 * random.nextFloat() - 1;
    }
    try (Classifier classifier = Classifier.of(spec.with(weights, new float[0][], 0), shape)) {
      OnnxGraph graph = new OnnxGraph();
      graph.input("features", OnnxGraph.Elements.FLOAT, shape.features());
      graph.node("Identity", classifier.addTo(graph, "features")).addAs("scores");
      graph.output("scores", OnnxGraph.Elements.FLOAT, shape.outputs());
      float[] scores = run(graph.toBytes("test"), features, shape.features());
      assertThat(scores).containsExactly(classifier.scores(features), within((float) MOST));
    }
  }

  private static float[] run(byte[] model, float[] features, int width) {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (OrtSession session = environment.createSession(model);
        OnnxTensor input =
            OnnxTensor.createTensor(
                environment, FloatBuffer.wrap(features), new long[] {SAMPLES, width});
        OrtSession.Result result = session.run(Map.of("features", input))) {
      FloatBuffer found = ((OnnxTensor) result.get(0)).getFloatBuffer();
      float[] scores = new float[found.remaining()];
      found.get(scores);
      return scores;
    } catch (OrtException e) {
      throw new AssertionError(e);
    }
  }
}
