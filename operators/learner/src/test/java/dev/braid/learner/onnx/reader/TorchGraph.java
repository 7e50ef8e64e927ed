package dev.braid.learner.onnx.reader;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import onnx.Onnx.AttributeProto;
import onnx.Onnx.AttributeProto.AttributeType;
import onnx.Onnx.GraphProto;
import onnx.Onnx.ModelProto;
import onnx.Onnx.NodeProto;
import onnx.Onnx.OperatorSetIdProto;
import onnx.Onnx.TensorProto;
import onnx.Onnx.TensorShapeProto;
import onnx.Onnx.TypeProto;
import onnx.Onnx.ValueInfoProto;
import org.nd4j.shade.protobuf.ByteString;

/**
 * An ONNX file in the forms that PyTorch writes, assembled node by node. The value of each node has
 * the name of the node; the first input of a node is the value of the previous node.
 */
final class TorchGraph {

  final GraphProto.Builder graph = GraphProto.newBuilder().setName("main_graph");
  private final Random random = new Random(7);
  private final long[] sides;
  private int operators = 17;
  private String last = "input";

  private TorchGraph(long... sides) {
    this.sides = sides;
  }

  /**
   * Begins a graph whose number of samples is open.
   *
   * @param sides the sides of a sample
   */
  static TorchGraph of(long... sides) {
    return of("batch", sides);
  }

  /** Begins a graph with the number of samples of the example that it was exported with. */
  static TorchGraph ofOneSample(long... sides) {
    return of("", sides);
  }

  private static TorchGraph of(String batch, long... sides) {
    TorchGraph torch = new TorchGraph(sides);
    TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
    if (batch.isEmpty()) {
      shape.addDimBuilder().setDimValue(1);
    } else {
      shape.addDimBuilder().setDimParam(batch);
    }
    Arrays.stream(sides).forEach(side -> shape.addDimBuilder().setDimValue(side));
    torch.graph.addInput(value("input").setType(type(shape)));
    return torch;
  }

  private static ValueInfoProto.Builder value(String name) {
    return ValueInfoProto.newBuilder().setName(name);
  }

  private static TypeProto type(TensorShapeProto.Builder shape) {
    return TypeProto.newBuilder()
        .setTensorType(
            TypeProto.Tensor.newBuilder()
                .setElemType(TensorProto.DataType.FLOAT_VALUE)
                .setShape(shape))
        .build();
  }

  long[] sides() {
    return sides.clone();
  }

  TorchGraph operators(int version) {
    operators = version;
    return this;
  }

  /** Returns the name of the value of the last node. */
  String last() {
    return last;
  }

  /** Makes the next node use this value instead of the last node's. */
  TorchGraph from(String value) {
    last = value;
    return this;
  }

  // ---- constants -------------------------------------------------------------------------------

  /** Adds an initializer of random numbers; returns its name. */
  String weights(String name, long... shape) {
    return initializer(name, 0.5f, -0.25f, shape);
  }

  /** Adds an initializer of random numbers above 0. */
  String variances(String name, long... shape) {
    return initializer(name, 1, 0.5f, shape);
  }

  private String initializer(String name, float scale, float least, long... shape) {
    float[] values = new float[(int) Arrays.stream(shape).reduce(1, (a, b) -> a * b)];
    for (int i = 0; i < values.length; i++) {
      values[i] = scale * random.nextFloat() + least;
    }
    graph.addInitializer(floats(values, shape).setName(name));
    return name;
  }

  static TensorProto.Builder floats(float[] values, long... shape) {
    ByteBuffer bytes =
        ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(values);
    return TensorProto.newBuilder()
        .setDataType(TensorProto.DataType.FLOAT_VALUE)
        .addAllDims(Arrays.stream(shape).boxed().toList())
        .setRawData(ByteString.copyFrom(bytes));
  }

  static TensorProto.Builder wholes(long... values) {
    return TensorProto.newBuilder()
        .setDataType(TensorProto.DataType.INT64_VALUE)
        .addDims(values.length)
        .addAllInt64Data(Arrays.stream(values).boxed().toList());
  }

  /** Adds an initializer of whole numbers; returns its name. */
  String shape(String name, long... values) {
    graph.addInitializer(wholes(values).setName(name));
    return name;
  }

  /** Adds a node Constant; returns the name of its value. */
  String constant(String name, TensorProto.Builder tensor) {
    graph
        .addNodeBuilder()
        .setOpType("Constant")
        .addOutput(name)
        .addAttributeBuilder()
        .setName("value")
        .setType(AttributeType.TENSOR)
        .setT(tensor);
    return name;
  }

  String number(String name, float value) {
    return constant(name, floats(new float[] {value}));
  }

  // ---- nodes -----------------------------------------------------------------------------------

  /** Adds a node whose inputs are the last value and others. */
  TorchGraph node(String operator, String name, String... others) {
    return nodeOf(operator, name).inputs(last).inputs(others).done(name);
  }

  /** Adds a node whose inputs are only the values that are named next. */
  TorchGraph nodeOf(String operator, String name) {
    graph.addNode(NodeProto.newBuilder().setOpType(operator).setName(name).addOutput(name));
    return this;
  }

  private NodeProto.Builder node() {
    return graph.getNodeBuilder(graph.getNodeCount() - 1);
  }

  TorchGraph inputs(String... names) {
    node().addAllInput(Arrays.asList(names));
    return this;
  }

  TorchGraph done(String name) {
    last = name;
    return this;
  }

  TorchGraph with(String name, int value) {
    attribute(name, AttributeType.INT).setI(value);
    return this;
  }

  TorchGraph with(String name, double value) {
    attribute(name, AttributeType.FLOAT).setF((float) value);
    return this;
  }

  TorchGraph with(String name, String value) {
    attribute(name, AttributeType.STRING).setS(ByteString.copyFrom(value, StandardCharsets.UTF_8));
    return this;
  }

  TorchGraph withAll(String name, long... values) {
    AttributeProto.Builder attribute = attribute(name, AttributeType.INTS);
    Arrays.stream(values).forEach(attribute::addInts);
    return this;
  }

  private AttributeProto.Builder attribute(String name, AttributeType type) {
    return node().addAttributeBuilder().setName(name).setType(type);
  }

  // ---- modules of PyTorch ----------------------------------------------------------------------

  /** Adds {@code nn.Linear}. */
  TorchGraph linear(String name, int inputs, int outputs) {
    String weights = weights(name + ".weight", outputs, inputs);
    String bias = weights(name + ".bias", outputs);
    return node("Gemm", name, weights, bias).with("alpha", 1.0).with("beta", 1.0).with("transB", 1);
  }

  /** Adds {@code nn.Conv2d} with a kernel of 3x2, without attributes for its window. */
  TorchGraph bareConvolution(String name, int inputs, int outputs) {
    String weights = weights(name + ".weight", outputs, inputs, 3, 2);
    return node("Conv", name, weights, weights(name + ".bias", outputs));
  }

  /** Adds {@code nn.Conv2d} with a kernel of 3x2. */
  TorchGraph convolution(String name, int inputs, int outputs, int stride, int... pads) {
    return bareConvolution(name, inputs, outputs)
        .withAll("dilations", 1, 1)
        .with("group", 1)
        .withAll("kernel_shape", 3, 2)
        .withAll("pads", Arrays.stream(pads).asLongStream().toArray())
        .withAll("strides", stride, stride);
  }

  /** Adds {@code nn.BatchNorm2d} or {@code nn.BatchNorm1d}. */
  TorchGraph normalization(String name, int channels) {
    return node(
            "BatchNormalization",
            name,
            variances(name + ".weight", channels),
            weights(name + ".bias", channels),
            weights(name + ".running_mean", channels),
            variances(name + ".running_var", channels))
        .with("epsilon", 1e-5)
        .with("momentum", 0.9);
  }

  TorchGraph pooling(String operator, String name, int... pads) {
    return node(operator, name)
        .withAll("kernel_shape", 3, 2)
        .withAll("pads", Arrays.stream(pads).asLongStream().toArray())
        .withAll("strides", 2, 2);
  }

  ModelProto.Builder model() {
    // Files with version 9 of the operators have initializers among their inputs.
    int format = operators < 10 ? 3 : 8;
    GraphProto.Builder all = graph.clone();
    if (format == 3) {
      graph
          .getInitializerList()
          .forEach(
              it -> {
                TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
                it.getDimsList().forEach(side -> shape.addDimBuilder().setDimValue(side));
                TypeProto.Builder type = type(shape).toBuilder();
                type.getTensorTypeBuilder().setElemType(it.getDataType());
                all.addInput(value(it.getName()).setType(type));
              });
    }
    all.addOutput(
        value(last).setType(type(TensorShapeProto.newBuilder().addDim(open()).addDim(open()))));
    return ModelProto.newBuilder()
        .setIrVersion(format)
        .setProducerName("pytorch")
        .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(operators))
        .setGraph(all);
  }

  private static TensorShapeProto.Dimension open() {
    return TensorShapeProto.Dimension.newBuilder().setDimParam("open").build();
  }

  byte[] toBytes() {
    return model().build().toByteArray();
  }
}
