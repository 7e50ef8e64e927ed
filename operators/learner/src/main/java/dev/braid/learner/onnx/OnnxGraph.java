package dev.braid.learner.onnx;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import onnx.Onnx.AttributeProto;
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
 * Builder of a graph of ONNX operators, node by node. The first dimension of all tensors is the
 * samples; its size is open.
 */
public final class OnnxGraph {

  /** Version of the operators; supported by ONNX Runtime since 1.12. */
  private static final int OPERATORS = 17;

  /** Version of the operators on texts and categories. */
  private static final int ML_OPERATORS = 3;

  /** Version of the file format that goes with {@link #OPERATORS}. */
  private static final int FORMAT = 8;

  private static final String ML_DOMAIN = "ai.onnx.ml";
  private static final String SAMPLES = "samples";

  private final GraphProto.Builder graph = GraphProto.newBuilder().setName("braid");
  private final Set<String> given = new HashSet<>();
  private int names;

  /** Type of a tensor's elements. */
  public enum Elements {
    FLOAT(TensorProto.DataType.FLOAT),
    DOUBLE(TensorProto.DataType.DOUBLE),
    TEXT(TensorProto.DataType.STRING);

    private final int number;

    Elements(TensorProto.DataType type) {
      this.number = type.getNumber();
    }

    /** Returns the type's name in ONNX, such as {@code string}. */
    public String title() {
      return this == TEXT ? "string" : name().toLowerCase(Locale.ROOT);
    }
  }

  /** A node that is configured before it is added. */
  public final class Node {

    private final NodeProto.Builder node = NodeProto.newBuilder();

    private Node(String operator, List<String> inputs) {
      node.setOpType(operator).addAllInput(inputs);
    }

    /** Marks the operator as one of the domain for texts and categories. */
    public Node ofMl() {
      node.setDomain(ML_DOMAIN);
      return this;
    }

    /** Sets an attribute of whole numbers. */
    public Node with(String name, long... values) {
      AttributeProto.Builder attribute = attribute(name, AttributeProto.AttributeType.INTS);
      Arrays.stream(values).forEach(attribute::addInts);
      node.addAttribute(attribute);
      return this;
    }

    /** Sets an attribute of one whole number. */
    public Node with(String name, int value) {
      node.addAttribute(attribute(name, AttributeProto.AttributeType.INT).setI(value));
      return this;
    }

    /** Sets an attribute of one floating-point number. */
    public Node with(String name, double value) {
      node.addAttribute(attribute(name, AttributeProto.AttributeType.FLOAT).setF((float) value));
      return this;
    }

    /** Sets an attribute of one text. */
    public Node with(String name, String value) {
      node.addAttribute(attribute(name, AttributeProto.AttributeType.STRING).setS(utf8(value)));
      return this;
    }

    /** Sets an attribute of several texts. */
    public Node with(String name, List<String> values) {
      AttributeProto.Builder attribute = attribute(name, AttributeProto.AttributeType.STRINGS);
      values.forEach(value -> attribute.addStrings(utf8(value)));
      node.addAttribute(attribute);
      return this;
    }

    private AttributeProto.Builder attribute(String name, AttributeProto.AttributeType type) {
      return AttributeProto.newBuilder().setName(name).setType(type);
    }

    /** Adds the node; returns the name of its only output. */
    public String add() {
      return add(0, 1);
    }

    /**
     * Adds the node; returns the name of one of its outputs.
     *
     * @param index index of the output whose name is returned
     * @param outputs number of outputs; those before {@code index} are not used
     */
    public String add(int index, int outputs) {
      String name = name();
      for (int i = 0; i < outputs; i++) {
        node.addOutput(i == index ? name : "");
      }
      graph.addNode(node);
      return name;
    }

    /** Adds the node with an output of this name. */
    public void addAs(String output) {
      graph.addNode(node.addOutput(output));
    }
  }

  private String name() {
    String name = "t" + names++;
    return given.contains(name) ? name() : name;
  }

  /**
   * Reserves the names of inputs and outputs, so that no other value gets them. Must be called
   * first.
   */
  public void reserve(Set<String> inputsAndOutputs) {
    given.addAll(inputsAndOutputs);
  }

  private static ByteString utf8(String text) {
    return ByteString.copyFrom(text, StandardCharsets.UTF_8);
  }

  /** Begins a node; the name of an omitted input is "". */
  public Node node(String operator, String... inputs) {
    return new Node(operator, List.of(inputs));
  }

  /** Adds a node without attributes; returns the name of its output. */
  public String apply(String operator, String... inputs) {
    return node(operator, inputs).add();
  }

  /** Adds a constant tensor of floats, row-major; returns its name. */
  public String constant(float[] values, long... shape) {
    ByteBuffer bytes =
        ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(values);
    return constant(TensorProto.DataType.FLOAT, ByteString.copyFrom(bytes), shape);
  }

  /** Adds a row of constant doubles; returns its name. */
  public String doubles(double... values) {
    ByteBuffer bytes =
        ByteBuffer.allocate(values.length * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asDoubleBuffer().put(values);
    return constant(TensorProto.DataType.DOUBLE, ByteString.copyFrom(bytes), values.length);
  }

  /** Adds a conversion to another type; returns the name of its output. */
  public String cast(String value, Elements type) {
    return node("Cast", value).with("to", type.number).add();
  }

  /** Adds a constant number; returns its name. */
  public String constant(double value) {
    return constant(new float[] {(float) value});
  }

  /** Adds a row of constant whole numbers; returns its name. */
  public String wholes(long... values) {
    ByteBuffer bytes =
        ByteBuffer.allocate(values.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(values);
    return constant(TensorProto.DataType.INT64, ByteString.copyFrom(bytes), values.length);
  }

  private String constant(TensorProto.DataType type, ByteString bytes, long... shape) {
    TensorProto.Builder tensor =
        TensorProto.newBuilder().setName(name()).setDataType(type.getNumber()).setRawData(bytes);
    Arrays.stream(shape).forEach(tensor::addDims);
    graph.addInitializer(tensor);
    return tensor.getName();
  }

  /** Adds an input with {@code shape} elements per sample. */
  public void input(String name, Elements type, long... shape) {
    graph.addInput(value(name, type, shape));
  }

  /** Declares a tensor as an output with {@code shape} elements per sample. */
  public void output(String name, Elements type, long... shape) {
    graph.addOutput(value(name, type, shape));
  }

  private static ValueInfoProto value(String name, Elements type, long... shape) {
    TensorShapeProto.Builder dimensions = TensorShapeProto.newBuilder();
    dimensions.addDimBuilder().setDimParam(SAMPLES);
    Arrays.stream(shape).forEach(size -> dimensions.addDimBuilder().setDimValue(size));
    return ValueInfoProto.newBuilder()
        .setName(name)
        .setType(
            TypeProto.newBuilder()
                .setTensorType(
                    TypeProto.Tensor.newBuilder().setElemType(type.number).setShape(dimensions)))
        .build();
  }

  /**
   * Returns the bytes of an ONNX file.
   *
   * @param producer version of the program that writes it
   */
  public byte[] toBytes(String producer) {
    List<OperatorSetIdProto> operators = new ArrayList<>();
    operators.add(OperatorSetIdProto.newBuilder().setDomain("").setVersion(OPERATORS).build());
    operators.add(
        OperatorSetIdProto.newBuilder().setDomain(ML_DOMAIN).setVersion(ML_OPERATORS).build());
    return ModelProto.newBuilder()
        .setIrVersion(FORMAT)
        .addAllOpsetImport(operators)
        .setProducerName("Braid")
        .setProducerVersion(producer)
        .setGraph(graph)
        .build()
        .toByteArray();
  }
}
