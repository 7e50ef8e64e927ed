package dev.braid.learner.onnx.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.learner.Shape;
import dev.braid.learner.TestModels;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.network.Classifier;
import dev.braid.learner.network.Learners;
import dev.braid.learner.network.Models;
import dev.braid.learner.optimiser.UpdaterSpec;
import dev.braid.learner.structure.ModelStack;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that models in the form of PyTorch's exports give the results of ONNX Runtime for the same
 * file.
 */
class OnnxReaderTest {

  private static final float MOST = 1e-5f;
  private static final Shape ROWS = Shape.rows(7, 4);
  private static final Shape IMAGES = new Shape(2, 9, 8, 4);

  @TempDir private Path folder;

  // ---- rows ------------------------------------------------------------------------------------

  @Test
  void linearLayers() throws IOException {
    check(
        TorchGraph.of(7).linear("/0/Gemm", 7, 6).node("Relu", "/1/Relu").linear("/2/Gemm", 6, 4),
        ROWS);
  }

  @Test
  void softmaxAndLogarithmOfIt() throws IOException {
    check(TorchGraph.of(7).linear("fc", 7, 4).node("Softmax", "softmax").with("axis", 1), ROWS);
    check(TorchGraph.of(7).linear("fc", 7, 4).node("LogSoftmax", "log").with("axis", -1), ROWS);
  }

  @Test
  void linearLayersByProductAndSum() throws IOException {
    TorchGraph torch = TorchGraph.of(7).operators(18);
    String hidden = torch.weights("fc1.weight", 6, 7);
    torch.nodeOf("Transpose", "val_0").inputs(hidden).withAll("perm", 1, 0);
    torch.node("MatMul", "val_1", "val_0").node("Add", "linear", torch.weights("fc1.bias", 6));
    torch.node("Tanh", "tanh");
    String output = torch.weights("fc2.weight", 6, 4);
    torch.node("MatMul", "val_2", output);
    check(torch, ROWS);
  }

  @Test
  void gemmWithoutTransposition_andWithoutBias() throws IOException {
    TorchGraph torch = TorchGraph.of(7);
    check(torch.node("Gemm", "fc", torch.weights("weight", 7, 4)), ROWS);
  }

  static Stream<Named<UnaryOperator<TorchGraph>>> activations() {
    return Stream.of(
        activation("Relu", it -> it.node("Relu", "f")),
        activation("LeakyRelu", it -> it.node("LeakyRelu", "f").with("alpha", 0.2)),
        activation("LeakyRelu by default", it -> it.node("LeakyRelu", "f")),
        activation("Elu", it -> it.node("Elu", "f").with("alpha", 0.7)),
        activation("Selu", it -> it.node("Selu", "f")),
        activation("ThresholdedRelu", it -> it.node("ThresholdedRelu", "f").with("alpha", 0.1)),
        activation("Sigmoid", it -> it.node("Sigmoid", "f")),
        activation("HardSigmoid", it -> it.node("HardSigmoid", "f")),
        activation("Tanh", it -> it.node("Tanh", "f")),
        activation("Softplus", it -> it.node("Softplus", "f")),
        activation("Softsign", it -> it.node("Softsign", "f")),
        activation("Softmax", it -> it.node("Softmax", "f")),
        activation(
            "ReLU6", it -> it.node("Clip", "f", it.number("least", 0), it.number("most", 6))),
        activation(
            "Hardtanh", it -> it.node("Clip", "f", it.number("least", -1), it.number("most", 1))),
        activation(
            "SiLU",
            it -> {
              String value = it.last();
              return it.node("Sigmoid", "gate").node("Mul", "f", value);
            }),
        activation(
            "Mish",
            it -> {
              String value = it.last();
              it.node("Softplus", "a").node("Tanh", "b");
              return it.nodeOf("Mul", "f").inputs(value, "b").done("f");
            }),
        activation("two", it -> it.node("Relu", "first").node("Tanh", "f")));
  }

  private static Named<UnaryOperator<TorchGraph>> activation(
      String name, UnaryOperator<TorchGraph> added) {
    return Named.of(name, added);
  }

  static Stream<Named<UnaryOperator<TorchGraph>>> elementwise() {
    return activations().filter(activation -> !activation.getName().equals("Softmax"));
  }

  @ParameterizedTest
  @MethodSource("activations")
  void activationsOfRows(UnaryOperator<TorchGraph> activation) throws IOException {
    check(activation.apply(TorchGraph.of(7).linear("fc", 7, 6)).linear("output", 6, 4), ROWS);
  }

  @ParameterizedTest
  @MethodSource("elementwise")
  void activationsOfImages(UnaryOperator<TorchGraph> activation) throws IOException {
    TorchGraph torch = TorchGraph.of(2, 9, 8).convolution("conv", 2, 3, 1, 0, 0, 0, 0);
    TorchGraph activated = activation.apply(torch);
    check(activated.node("Flatten", "flat").with("axis", 1).linear("output", 147, 4), IMAGES);
  }

  @Test
  void whatDoesNothing() throws IOException {
    TorchGraph torch = TorchGraph.of(7).node("Identity", "same").linear("fc", 7, 6);
    torch.node("Dropout", "dropout", torch.number("ratio", 0.5f)).node("Relu", "relu");
    torch.node("Cast", "cast").with("to", 1);
    check(torch.linear("output", 6, 4), ROWS);
  }

  @Test
  void normalizationOfRows() throws IOException {
    check(
        TorchGraph.of(7)
            .normalization("bn", 7)
            .linear("fc", 7, 6)
            .normalization("bn2", 6)
            .node("Relu", "relu")
            .linear("output", 6, 4),
        ROWS);
  }

  @Test
  void normalizationOfRowsAsSequences() throws IOException {
    TorchGraph torch = TorchGraph.of(7).operators(9).linear("fc", 7, 6);
    torch.node("Unsqueeze", "steps").withAll("axes", 2).normalization("bn", 6);
    check(torch.node("Squeeze", "row").withAll("axes", 2).linear("output", 6, 4), ROWS);
  }

  @Test
  void sharedInitializers() throws IOException {
    TorchGraph torch = TorchGraph.of(7).linear("fc", 7, 7);
    torch.nodeOf("Identity", "shared").inputs("fc.bias");
    torch.node("Relu", "relu").node("Gemm", "fc2", "fc.weight", "shared").with("transB", 1);
    check(torch.linear("output", 7, 4), ROWS);
  }

  @ParameterizedTest
  @ValueSource(ints = {7, 9, 13, 20, 22})
  void versionsOfTheOperators(int version) throws IOException {
    check(
        TorchGraph.of(2, 9, 8)
            .operators(version)
            .convolution("conv", 2, 3, 1, 1, 1, 1, 1)
            .normalization("bn", 3)
            .node("Relu", "relu")
            .pooling("MaxPool", "pool", 0, 0, 0, 0)
            .node("Flatten", "flat")
            .linear("output", 48, 4)
            .node("Softmax", "softmax")
            .with("axis", 1),
        IMAGES);
  }

  // ---- shapes ----------------------------------------------------------------------------------

  private static TorchGraph images() {
    return TorchGraph.of(2, 9, 8).convolution("conv", 2, 3, 1, 0, 0, 0, 0).node("Relu", "relu");
  }

  @Test
  void reshapes() throws IOException {
    for (long[] target : new long[][] {{-1, 147}, {0, -1}, {0, 147}}) {
      TorchGraph torch = images();
      check(
          torch.node("Reshape", "view", torch.shape("shape", target)).linear("fc", 147, 4), IMAGES);
    }
    TorchGraph one = TorchGraph.ofOneSample(2, 9, 8).convolution("conv", 2, 3, 1, 0, 0, 0, 0);
    String shape = one.shape("shape", 1, -1);
    check(one.node("Reshape", "view", shape).with("allowzero", 1).linear("fc", 147, 4), IMAGES);
  }

  @Test
  void reshapeByTheNumberOfSamples() throws IOException {
    TorchGraph torch = images();
    torch.node("Shape", "shape").node("Gather", "size", torch.constant("index", scalar(0)));
    torch.node("Unsqueeze", "row", torch.constant("axes", TorchGraph.wholes(0)));
    String target = torch.constant("rest", TorchGraph.wholes(-1));
    torch.node("Concat", "target", target).with("axis", 0);
    torch.from("relu").node("Reshape", "view", "target").linear("fc", 147, 4);
    check(torch, IMAGES);
  }

  @Test
  void reshapeByTheFirstSideOfAShape() throws IOException {
    TorchGraph torch = images().operators(18);
    torch.node("Shape", "val_0").with("start", 0).with("end", 1);
    torch.node("Concat", "val_1", torch.shape("rest", 147)).with("axis", 0);
    torch.from("relu").node("Reshape", "view", "val_1").with("allowzero", 1);
    check(torch.linear("fc", 147, 4), IMAGES);
  }

  private static onnx.Onnx.TensorProto.Builder scalar(long value) {
    return TorchGraph.wholes(value).clearDims();
  }

  @Test
  void unflattenedRows() throws IOException {
    TorchGraph torch = TorchGraph.of(144);
    torch.node("Reshape", "view", torch.shape("shape", -1, 2, 9, 8));
    torch.convolution("conv", 2, 3, 1, 0, 0, 0, 0).node("Flatten", "flat").linear("fc", 147, 4);
    check(torch, IMAGES);
    TorchGraph decoder = TorchGraph.of(7).linear("fc", 7, 24);
    decoder.node("Reshape", "view", decoder.shape("shape", -1, 2, 4, 3)).node("Relu", "relu");
    decoder.convolution("conv", 2, 3, 1, 0, 0, 0, 0).node("Flatten", "flat");
    check(decoder.linear("output", 12, 4), ROWS);
  }

  @Test
  void imagesAsRows() throws IOException {
    TorchGraph torch = TorchGraph.of(2, 9, 8).node("Transpose", "same").withAll("perm", 0, 1, 2, 3);
    check(torch.node("Flatten", "flat").linear("fc", 144, 4), IMAGES);
  }

  @Test
  void sidesOfOne() throws IOException {
    TorchGraph torch = TorchGraph.of(9, 8);
    torch.node("Unsqueeze", "channel", torch.shape("axes", 1));
    torch.convolution("conv", 1, 3, 1, 0, 0, 0, 0).node("GlobalMaxPool", "pool");
    torch.node("Squeeze", "squeezed", torch.shape("sides", 2, -1)).linear("fc", 3, 4);
    check(torch, new Shape(1, 9, 8, 4));
  }

  // ---- images ----------------------------------------------------------------------------------

  @Test
  void convolutionsAndPoolings() throws IOException {
    TorchGraph torch =
        TorchGraph.of(2, 9, 8)
            .convolution("conv1", 2, 3, 1, 1, 0, 1, 0)
            .node("Relu", "relu1")
            .pooling("MaxPool", "pool1", 1, 0, 1, 0)
            .with("ceil_mode", 0)
            .convolution("conv2", 3, 5, 2, 1, 1, 1, 1)
            .node("Relu", "relu2")
            .node("Flatten", "flat")
            .with("axis", 1)
            .linear("fc1", 30, 6)
            .node("Relu", "relu3")
            .linear("fc2", 6, 4);
    check(torch, IMAGES);
    assertThat(ModelStack.isStack(read(torch, IMAGES).parsed())).isTrue();
  }

  @Test
  void convolutionsWithoutBias_withDilationsAndAutomaticPadding() throws IOException {
    TorchGraph torch = TorchGraph.of(2, 9, 8);
    torch.node("Conv", "conv1", torch.weights("w1", 3, 2, 2, 2)).withAll("dilations", 2, 3);
    torch.node("Relu", "relu").bareConvolution("conv2", 3, 4).with("auto_pad", "SAME_UPPER");
    torch.withAll("strides", 2, 1).bareConvolution("conv3", 4, 2).with("auto_pad", "VALID");
    check(torch.node("Flatten", "flat").linear("fc", 16, 4), IMAGES);
  }

  @Test
  void convolutionWithOtherPaddingAtEachEnd() throws IOException {
    check(
        TorchGraph.of(2, 9, 8)
            .convolution("conv", 2, 3, 1, 0, 1, 2, 3)
            .node("Flatten", "flat")
            .linear("fc", 297, 4),
        IMAGES);
  }

  @Test
  void paddingByANode() throws IOException {
    TorchGraph torch = TorchGraph.of(2, 9, 8);
    String pads = torch.shape("pads", 0, 0, 1, 0, 0, 0, 2, 1);
    torch.node("Pad", "pad", pads, torch.number("zero", 0)).with("mode", "constant");
    check(
        torch
            .pooling("AveragePool", "pool", 0, 0, 0, 0)
            .node("Flatten", "flat")
            .linear("fc", 40, 4),
        IMAGES);
  }

  @Test
  void poolingsOfAverages() throws IOException {
    for (int counted : new int[] {0, 1}) {
      check(
          TorchGraph.of(2, 9, 8)
              .pooling("AveragePool", "pool", 1, 1, 1, 1)
              .with("count_include_pad", counted)
              .node("Flatten", "flat")
              .linear("fc", 50, 4),
          IMAGES);
    }
  }

  @Test
  void poolingsThatKeepTheSize() throws IOException {
    for (String operator : new String[] {"AveragePool", "MaxPool"}) {
      TorchGraph torch = TorchGraph.of(2, 9, 8).node(operator, "pool");
      torch.withAll("kernel_shape", 3, 2).with("auto_pad", "SAME_UPPER");
      check(torch.node("Flatten", "flat").linear("fc", 144, 4), IMAGES);
    }
    TorchGraph counted = TorchGraph.of(2, 9, 8).node("AveragePool", "pool");
    counted
        .withAll("kernel_shape", 3, 2)
        .with("auto_pad", "SAME_UPPER")
        .with("count_include_pad", 1);
    check(counted.node("Flatten", "flat").linear("fc", 144, 4), IMAGES);
  }

  @Test
  void softmaxOfAFlattenedImage() throws IOException {
    TorchGraph torch = TorchGraph.of(2, 9, 8).convolution("conv", 2, 3, 1, 0, 0, 0, 0);
    check(torch.node("Flatten", "flat").node("Softmax", "f").linear("fc", 147, 4), IMAGES);
  }

  @Test
  void poolingThatRoundsUp_whereNothingIsLeft() throws IOException {
    check(
        TorchGraph.of(2, 9, 8)
            .pooling("MaxPool", "pool", 0, 0, 0, 0)
            .with("ceil_mode", 1)
            .node("Flatten", "flat")
            .linear("fc", 32, 4),
        IMAGES);
  }

  @Test
  void globalPoolings() throws IOException {
    for (String operator : new String[] {"GlobalAveragePool", "GlobalMaxPool"}) {
      check(images().node(operator, "pool").node("Flatten", "flat").linear("fc", 3, 4), IMAGES);
    }
    for (int keeps : new int[] {0, 1}) {
      TorchGraph old = images().node("ReduceMean", "mean").withAll("axes", 2, 3);
      check(old.with("keepdims", keeps).node("Flatten", "flat").linear("fc", 3, 4), IMAGES);
      TorchGraph recent = images().operators(18);
      recent.node("ReduceMean", "mean", recent.shape("axes", -1, -2)).with("keepdims", keeps);
      check(
          recent.node("Reshape", "view", recent.shape("view_shape", 0, 3)).linear("fc", 3, 4),
          IMAGES);
    }
  }

  @Test
  void normalizationOfImages() throws IOException {
    TorchGraph torch = TorchGraph.of(2, 9, 8);
    torch.node("Conv", "conv", torch.weights("w", 3, 2, 3, 2)).normalization("bn", 3);
    check(torch.node("Relu", "relu").node("Flatten", "flat").linear("fc", 147, 4), IMAGES);
  }

  // ---- outputs ---------------------------------------------------------------------------------

  @Test
  void values() throws IOException {
    Shape values = ROWS.withValues(1);
    check(TorchGraph.of(7).linear("fc", 7, 6).node("Relu", "relu").linear("output", 6, 1), values);
    check(TorchGraph.of(7).linear("output", 7, 1).node("Sigmoid", "sigmoid"), values);
  }

  @Test
  void probabilitiesByThemselves() throws IOException {
    check(TorchGraph.of(7).linear("output", 7, 4).node("Sigmoid", "sigmoid"), ROWS);
  }

  @Test
  void trainingGoesOn() throws IOException {
    TorchGraph torch = images().normalization("bn", 3).node("Flatten", "flat").linear("fc", 147, 4);
    ModelSpec spec = Models.of(write(torch).toString(), IMAGES, 1);
    assertThat(spec.updater())
        .isEqualTo(UpdaterSpec.of("momentum", java.util.OptionalDouble.of(0.01)));
    Batch batch = TestModels.batch(IMAGES, 20, 3);
    try (Learner learner = Learners.create(spec, IMAGES)) {
      float[] weights = TestModels.initial(learner);
      assertThat(weights).isEqualTo(spec.weights());
      float[] gradient = new float[weights.length];
      double first = learner.gradient(weights, batch, gradient);
      double loss = first;
      for (int step = 0; step < 20; step++) {
        for (int i = 0; i < weights.length; i++) {
          weights[i] -= 0.002f * gradient[i];
        }
        Arrays.fill(gradient, 0);
        loss = learner.gradient(weights, batch, gradient);
      }
      assertThat(loss).isFinite().isLessThan(0.8 * first);
    }
  }

  // ---- comparison ------------------------------------------------------------------------------

  private Path write(TorchGraph torch) throws IOException {
    return Files.write(folder.resolve("model.onnx"), torch.toBytes());
  }

  private ModelSpec read(TorchGraph torch, Shape shape) throws IOException {
    return ModelSpec.untried(write(torch).toString(), shape, 1);
  }

  private void check(TorchGraph torch, Shape shape) throws IOException {
    boolean isOne =
        torch.graph.getInput(0).getType().getTensorType().getShape().getDim(0).getDimValue() == 1;
    int samples = isOne ? 1 : 5;
    float[] features = new float[samples * shape.features()];
    Random random = new Random(7);
    for (int i = 0; i < features.length; i++) {
      features[i] = 2 * random.nextFloat() - 1;
    }
    float[] expected = run(torch, features, samples);
    String last = torch.graph.getNode(torch.graph.getNodeCount() - 1).getOpType();
    boolean isFinished = shape.hasValues() || last.equals("Softmax") || last.equals("Sigmoid");
    if (!isFinished) {
      softmax(expected, shape.classes());
    }
    try (Classifier classifier = Classifier.of(read(torch, shape), shape)) {
      assertThat(classifier.scores(features)).containsExactly(expected, within(MOST));
    }
  }

  private static void softmax(float[] scores, int classes) {
    for (int row = 0; row < scores.length; row += classes) {
      double sum = 0;
      for (int i = row; i < row + classes; i++) {
        sum += Math.exp(scores[i]);
      }
      for (int i = row; i < row + classes; i++) {
        scores[i] = (float) (Math.exp(scores[i]) / sum);
      }
    }
  }

  private static float[] run(TorchGraph torch, float[] features, int samples) {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    long[] shape =
        LongStream.concat(LongStream.of(samples), LongStream.of(torch.sides())).toArray();
    try (OrtSession session = environment.createSession(torch.toBytes());
        OnnxTensor input = OnnxTensor.createTensor(environment, FloatBuffer.wrap(features), shape);
        OrtSession.Result result = session.run(Map.of("input", input))) {
      FloatBuffer found = ((OnnxTensor) result.get(0)).getFloatBuffer();
      float[] scores = new float[found.remaining()];
      found.get(scores);
      return scores;
    } catch (OrtException e) {
      throw new AssertionError(e);
    }
  }
}
