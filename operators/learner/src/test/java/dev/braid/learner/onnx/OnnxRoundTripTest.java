package dev.braid.learner.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.learner.Learner;
import dev.braid.learner.Shape;
import dev.braid.learner.TestModels;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.network.Classifier;
import dev.braid.learner.network.Learners;
import dev.braid.learner.network.Models;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.GlobalPoolingLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.LocalResponseNormalization;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.PoolingType;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.activations.impl.ActivationSoftmax;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** Tests that models that Braid writes as ONNX files are the same models when they are read. */
class OnnxRoundTripTest {

  private static final int SAMPLES = 5;
  private static final float MOST = 1e-6f;
  private static final Shape ROWS = Shape.rows(7, 4);
  private static final Shape IMAGES = new Shape(2, 9, 8, 4);

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(
      value = Activation.class,
      mode = EnumSource.Mode.EXCLUDE,
      // Is random in training, has parameters of its own, or is written as arithmetic.
      names = {"RRELU", "CUBE", "RATIONALTANH"})
  void activations(Activation activation) throws IOException {
    check(
        TestModels.stack(
            ROWS, 6, activation, LossFunction.MCXENT, Activation.SOFTMAX, builder -> builder),
        ROWS);
  }

  @ParameterizedTest
  @MethodSource("dev.braid.learner.onnx.OnnxLayersTest#imageLayers")
  void layersOfImages(List<Layer> layers) throws IOException {
    Assumptions.assumeTrue(layers.stream().allMatch(OnnxRoundTripTest::isRead));
    check(model(layers, InputType.convolutional(9, 8, 2)), IMAGES);
    check(model(layers, InputType.convolutionalFlat(9, 8, 2)), IMAGES);
  }

  /**
   * Returns whether a layer can be read. Poolings by a norm, and the normalization of AlexNet, are
   * written but not read.
   */
  private static boolean isRead(Layer layer) {
    return !(layer instanceof LocalResponseNormalization)
        && !(layer instanceof SubsamplingLayer pooling
            && pooling.getPoolingType() == PoolingType.PNORM)
        && !(layer instanceof GlobalPoolingLayer pooling
            && pooling.getPoolingType() == PoolingType.PNORM)
        && !(layer instanceof ConvolutionLayer convolution
            && convolution.getActivationFn() instanceof ActivationSoftmax);
  }

  private static MultiLayerConfiguration model(List<Layer> layers, InputType input) {
    NeuralNetConfiguration.ListBuilder list = new NeuralNetConfiguration.Builder().seed(3).list();
    layers.forEach(layer -> list.layer(layer.clone()));
    return list.layer(
            new OutputLayer.Builder(LossFunction.MCXENT)
                .nOut(4)
                .activation(Activation.SOFTMAX)
                .build())
        .setInputType(input)
        .build();
  }

  private void check(MultiLayerConfiguration model, Shape shape) throws IOException {
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
    Path file = folder.resolve("model.onnx");
    float[] expected;
    try (Classifier written = Classifier.of(spec.with(weights, new float[0][], 0), shape)) {
      OnnxGraph graph = new OnnxGraph();
      graph.input("features", OnnxGraph.Elements.FLOAT, shape.features());
      graph.node("Identity", written.addTo(graph, "features")).addAs("scores");
      graph.output("scores", OnnxGraph.Elements.FLOAT, shape.outputs());
      Files.write(file, graph.toBytes("test"));
      expected = written.scores(features);
    }
    try (Classifier read = Classifier.of(Models.of(file.toString(), shape, 1), shape)) {
      assertThat(read.scores(features)).containsExactly(expected, within(MOST));
    }
  }
}
