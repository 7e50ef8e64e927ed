package dev.braid.learner.onnx.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.braid.learner.InvalidModelException;
import dev.braid.learner.Shape;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.network.Models;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import onnx.Onnx.ModelProto;
import onnx.Onnx.TensorProto;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a model that Braid cannot train is refused with one line that names the node. */
class RefusedOnnxTest {

  private static final Shape ROWS = Shape.rows(7, 4);
  private static final Shape IMAGES = new Shape(2, 9, 8, 4);

  @TempDir private Path folder;

  private static TorchGraph rows() {
    return TorchGraph.of(7).linear("first", 7, 6);
  }

  private static TorchGraph images() {
    return TorchGraph.of(2, 9, 8);
  }

  /** Each graph has a node "wrong" that contains the mistake. */
  static Stream<Named<TorchGraph>> wrongNodes() {
    TorchGraph residual = rows();
    residual.node("Relu", "relu").node("Add", "wrong", "first").linear("fc", 6, 4);
    TorchGraph branch = rows();
    branch.node("Relu", "relu").from("first").node("Tanh", "wrong").linear("fc", 6, 4);
    TorchGraph grouped = images();
    grouped.node("Conv", "wrong", grouped.weights("w", 4, 1, 3, 2)).with("group", 2);
    TorchGraph line = TorchGraph.of(7, 4);
    line.node("Conv", "wrong", line.weights("w", 3, 7, 2));
    TorchGraph matrix = TorchGraph.of(3, 7);
    matrix.node("MatMul", "wrong", matrix.weights("w", 7, 4));
    TorchGraph mixed = rows();
    mixed.node("Reshape", "wrong", mixed.shape("shape", 6, -1));
    TorchGraph computed = rows();
    computed.node("Relu", "relu").nodeOf("MatMul", "wrong").inputs("relu", "relu").done("wrong");
    TorchGraph external = TorchGraph.of(7);
    external.graph.addInitializer(
        TensorProto.newBuilder()
            .setName("w")
            .setDataType(TensorProto.DataType.FLOAT_VALUE)
            .addDims(4)
            .addDims(7)
            .setDataLocation(TensorProto.DataLocation.EXTERNAL));
    external.node("Gemm", "wrong", "w").with("transB", 1);
    TorchGraph doubles = TorchGraph.of(7);
    doubles.graph.addInitializer(
        TensorProto.newBuilder()
            .setName("w")
            .setDataType(TensorProto.DataType.DOUBLE_VALUE)
            .addDims(7)
            .addDims(1)
            .addAllDoubleData(java.util.Collections.nCopies(7, 1.0)));
    doubles.node("Gemm", "wrong", "w");
    TorchGraph claimed = TorchGraph.of(7);
    claimed.graph.addInitializer(TorchGraph.floats(new float[4], 1L << 31, 1L << 31).setName("w"));
    claimed.node("Gemm", "wrong", "w");
    TorchGraph square = TorchGraph.of(7).linear("fc", 7, 4);
    square.node("Reshape", "wrong", square.shape("shape", -1, 2, 2));
    TorchGraph scaled = rows();
    scaled.node("Gemm", "wrong", scaled.weights("w", 6, 4)).with("alpha", 2.0);
    return Stream.of(
        Named.of("a residual", residual),
        Named.of("a branch", branch),
        Named.of("a grouped convolution", grouped),
        Named.of("a convolution of one dimension", line),
        Named.of("a product of each line", matrix),
        Named.of("samples mixed by a shape", mixed),
        Named.of("weights that are computed", computed),
        Named.of("weights in another file", external),
        Named.of("weights of float64", doubles),
        Named.of("fewer weights than declared", claimed),
        Named.of("an unknown operator", rows().node("Gelu", "wrong").linear("fc", 6, 4)),
        Named.of("an operator of an extension", extension(rows().node("FusedGemm", "wrong"))),
        Named.of("weights of other inputs", rows().linear("wrong", 5, 4)),
        Named.of("a scaled product", scaled),
        Named.of("a bound of its own", rows().node("Clip", "wrong").linear("fc", 6, 4)),
        Named.of("another sigmoid", rows().node("HardSigmoid", "wrong").with("alpha", 0.1)),
        Named.of("a softmax of samples", rows().node("Softmax", "wrong").with("axis", 0)),
        Named.of("a logarithm within", rows().node("LogSoftmax", "wrong").linear("fc", 6, 4)),
        Named.of("other sides", images().node("Transpose", "wrong").withAll("perm", 0, 2, 3, 1)),
        Named.of(
            "a kernel that is too large",
            images()
                .pooling("MaxPool", "pool", 0, 0, 0, 0)
                .pooling("MaxPool", "pool2", 0, 0, 0, 0)
                .pooling("MaxPool", "wrong", 0, 0, 0, 0)),
        Named.of("other padding at each end", images().pooling("MaxPool", "wrong", 0, 0, 1, 1)),
        Named.of(
            "a padding below",
            images().bareConvolution("wrong", 2, 3).with("auto_pad", "SAME_LOWER")),
        Named.of(
            "a result that is rounded up",
            images()
                .pooling("MaxPool", "pool", 0, 0, 0, 0)
                .pooling("MaxPool", "wrong", 0, 0, 0, 0)
                .with("ceil_mode", 1)),
        Named.of("a huge padding", images().convolution("wrong", 2, 3, 1, 9999, 9999, 9999, 9999)),
        Named.of("a huge stride", images().convolution("wrong", 2, 3, -1, 0, 0, 0, 0)),
        Named.of(
            "statistics of the batch", images().normalization("wrong", 2).with("training_mode", 1)),
        Named.of("statistics of other channels", images().normalization("wrong", 3)),
        Named.of("a convolution at the end", images().bareConvolution("wrong", 2, 4)),
        Named.of(
            "two activations at the end",
            TorchGraph.of(7).linear("fc", 7, 4).node("Relu", "relu").node("Softmax", "wrong")),
        Named.of("scores above 0 only", TorchGraph.of(7).linear("fc", 7, 4).node("Relu", "wrong")),
        Named.of("scores in a square", square),
        Named.of("one score of two classes", rows().linear("fc", 6, 1).node("Sigmoid", "wrong")));
  }

  private static TorchGraph extension(TorchGraph torch) {
    torch.graph.getNodeBuilder(torch.graph.getNodeCount() - 1).setDomain("com.microsoft");
    return torch;
  }

  @ParameterizedTest
  @MethodSource("wrongNodes")
  void aNodeIsNamed(TorchGraph torch) throws IOException {
    Shape shape = torch.sides().length == 3 ? IMAGES : ROWS;
    refused(torch.toBytes(), shape, "node wrong (");
  }

  @Test
  void aSoftmaxForValues() throws IOException {
    refused(rows().node("Softmax", "wrong").toBytes(), ROWS.withValues(6), "node wrong (Softmax)");
  }

  @Test
  void aNodeWithoutAName_isCounted() throws IOException {
    TorchGraph torch = rows().node("Erf", "");
    refused(torch.toBytes(), ROWS, "node number 1 (Erf)");
  }

  @ParameterizedTest
  @ValueSource(ints = {6, 99})
  void otherVersionsOfTheOperators(int version) throws IOException {
    refused(rows().operators(version).toBytes(), ROWS, "version " + version);
  }

  @Test
  void sidesThatAreOpen() throws IOException {
    refused(TorchGraph.of(0, 9, 8).toBytes(), IMAGES, "input input");
  }

  @Test
  void moreInputsAndOutputs() throws IOException {
    TorchGraph torch = rows();
    torch.graph.addInput(torch.graph.getInput(0).toBuilder().setName("other"));
    refused(torch.toBytes(), ROWS, "2 inputs and 1 outputs");
    ModelProto.Builder model = rows().model();
    model.getGraphBuilder().getOutputBuilder(0).setName("elsewhere");
    refused(model.build().toByteArray(), ROWS, "elsewhere");
  }

  @Test
  void dataOfAnotherShape() throws IOException {
    byte[] file =
        images().node("GlobalMaxPool", "pool").node("Flatten", "flat").linear("fc", 2, 4).toBytes();
    refused(file, new Shape(2, 9, 9, 4), "2x9x8");
    refused(file, new Shape(2, 9, 8, 5), "5 classes");
  }

  @Test
  void weightsThatAreNoNumbers() throws IOException {
    TorchGraph torch = TorchGraph.of(7);
    float[] weights = new float[28];
    weights[3] = Float.NaN;
    torch.graph.addInitializer(TorchGraph.floats(weights, 7, 4).setName("w"));
    refused(torch.node("Gemm", "fc", "w").toBytes(), ROWS, "NaN");
  }

  @Test
  void otherFiles() throws IOException {
    for (byte[] file : new byte[][] {{}, {'{', '}'}, {8, 8}, new byte[1000], {'P', 'K'}}) {
      refused(file, ROWS, "model.onnx");
    }
  }

  @Test
  void graphsWithinGraphs() throws IOException {
    ModelProto model = rows().model().build();
    for (int depth = 0; depth < 40; depth++) {
      ModelProto.Builder outer = rows().model();
      outer
          .getGraphBuilder()
          .addNodeBuilder()
          .addAttributeBuilder()
          .setName("body")
          .setG(model.getGraph());
      model = outer.build();
    }
    refused(model.toByteArray(), ROWS, "model.onnx");
  }

  @Test
  void manyNodes() throws IOException {
    TorchGraph torch = TorchGraph.of(7);
    String weights = torch.weights("w", 4, 7);
    for (int i = 0; i < 1990; i++) {
      String next = "w" + i;
      torch.nodeOf("Transpose", next).inputs(weights).withAll("perm", 1, 0);
      weights = next;
    }
    byte[] file = torch.node("Gemm", "fc", weights).with("transB", 1).toBytes();
    Path path = Files.write(folder.resolve("model.onnx"), file);
    assertThat(Models.of(path.toString(), ROWS, 1).length()).isEqualTo(28);
    for (int i = 0; i < 20; i++) {
      torch.node("Identity", "same" + i);
    }
    refused(torch.toBytes(), ROWS, "2011 nodes");
  }

  /** Scoring needs information about the data that training writes. */
  @Test
  void scoring() throws IOException {
    Path file = Files.write(folder.resolve("model.onnx"), rows().toBytes());
    assertThatThrownBy(() -> ModelSpec.read(file, 1))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining("ONNX");
  }

  @Test
  void damagedFilesAreReadOrRefused() throws IOException {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    byte[] sound =
        images()
            .convolution("conv", 2, 3, 1, 1, 0, 1, 0)
            .normalization("bn", 3)
            .node("Relu", "relu")
            .pooling("MaxPool", "pool", 1, 0, 1, 0)
            .node("Flatten", "flat")
            .linear("fc", 45, 4)
            .node("Softmax", "softmax")
            .toBytes();
    Path file = folder.resolve("model.onnx");
    assertThat(Models.of(Files.write(file, sound).toString(), IMAGES, 1).length()).isPositive();
    for (int i = 0; i < 400; i++) {
      byte[] damaged = sound.clone();
      if (random.nextInt(4) == 0) {
        damaged = Arrays.copyOf(sound, random.nextInt(sound.length));
      }
      for (int flips = random.nextInt(4); flips > 0 && damaged.length > 0; flips--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      Files.write(file, damaged);
      try {
        var unused = Models.of(file.toString(), IMAGES, 1);
      } catch (InvalidModelException e) {
        assertThat(e.getMessage())
            .as("seed %d, file %d", seed, i)
            .contains("model.onnx")
            .hasLineCount(1);
      } catch (Throwable e) {
        fail("seed %d, file %d".formatted(seed, i), e);
      }
    }
  }

  private void refused(byte[] model, Shape shape, String named) throws IOException {
    Path file = Files.write(folder.resolve("model.onnx"), model);
    assertThatThrownBy(() -> Models.of(file.toString(), shape, 1))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining(named)
        .message()
        .hasLineCount(1);
  }
}
