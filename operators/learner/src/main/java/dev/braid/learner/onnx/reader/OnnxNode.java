package dev.braid.learner.onnx.reader;

import dev.braid.learner.InvalidModelException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import onnx.Onnx.AttributeProto;
import onnx.Onnx.AttributeProto.AttributeType;
import onnx.Onnx.NodeProto;
import onnx.Onnx.TensorProto;

/** One node of a graph: an operator with its inputs and attributes. */
final class OnnxNode {

  private static final String DOMAIN = "ai.onnx";

  private final String model;
  private final int index;
  private final NodeProto node;

  /**
   * @param model the user's name for the model, for messages
   * @param index index of the node in its graph
   */
  OnnxNode(String model, int index, NodeProto node) {
    this.model = model;
    this.index = index;
    this.node = node;
  }

  String operator() {
    return node.getOpType();
  }

  boolean is(String operator) {
    return operator().equals(operator);
  }

  /** Returns whether the operator is one of ONNX itself rather than of an extension. */
  boolean isStandard() {
    return node.getDomain().isEmpty() || node.getDomain().equals(DOMAIN);
  }

  /** Returns the names of all inputs that are present. */
  List<String> inputs() {
    return node.getInputList().stream().filter(name -> !name.isEmpty()).toList();
  }

  boolean hasInput(int input) {
    return input < node.getInputCount() && !node.getInput(input).isEmpty();
  }

  /** Returns the name of an input. */
  String input(int input) {
    if (!hasInput(input)) {
      throw refused("input %d is missing".formatted(input));
    }
    return node.getInput(input);
  }

  /** Returns the name of the first output. */
  String output() {
    return node.getOutputCount() == 0 ? "" : node.getOutput(0);
  }

  int outputs() {
    return node.getOutputCount();
  }

  /** Returns the exception for a node that cannot be read. */
  InvalidModelException refused(String what) {
    return new InvalidModelException(message(what));
  }

  private String message(String what) {
    String name = node.getName().isEmpty() ? "number " + index : node.getName();
    return "model %s: node %s (%s): %s"
        .formatted(
            model,
            InvalidModelException.shorten(name),
            InvalidModelException.shorten(operator()),
            what);
  }

  /** Returns the result of reading this node; exceptions name the node. */
  <T> T reading(Supplier<T> result) {
    try {
      return result.get();
    } catch (InvalidModelException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new InvalidModelException(message(InvalidModelException.reason(e)), e);
    }
  }

  // ---- attributes ------------------------------------------------------------------------------

  private Optional<AttributeProto> attribute(String name, AttributeType type) {
    for (AttributeProto attribute : node.getAttributeList()) {
      if (attribute.getName().equals(name)) {
        if (attribute.getType() != type && attribute.getType() != AttributeType.UNDEFINED) {
          throw refused("attribute %s: must be of type %s".formatted(name, type));
        }
        return Optional.of(attribute);
      }
    }
    return Optional.empty();
  }

  boolean has(String name, AttributeType type) {
    return attribute(name, type).isPresent();
  }

  long whole(String name, long otherwise) {
    return attribute(name, AttributeType.INT).map(AttributeProto::getI).orElse(otherwise);
  }

  double number(String name, double otherwise) {
    return attribute(name, AttributeType.FLOAT).map(it -> (double) it.getF()).orElse(otherwise);
  }

  String word(String name, String otherwise) {
    return attribute(name, AttributeType.STRING)
        .map(it -> it.getS().toStringUtf8())
        .orElse(otherwise);
  }

  Optional<long[]> wholes(String name) {
    return attribute(name, AttributeType.INTS)
        .map(it -> it.getIntsList().stream().mapToLong(Long::longValue).toArray());
  }

  Optional<TensorProto> tensor(String name) {
    return attribute(name, AttributeType.TENSOR).map(AttributeProto::getT);
  }

  /**
   * Returns an attribute of lengths along the sides of an image.
   *
   * @param least smallest valid value
   * @param otherwise the default values
   */
  int[] lengths(String name, int least, int... otherwise) {
    long[] values = wholes(name).orElse(Arrays.stream(otherwise).asLongStream().toArray());
    if (values.length != otherwise.length
        || Arrays.stream(values)
            .anyMatch(value -> value < least || value > OnnxWindow.MAX_LENGTH)) {
      throw refused(
          "%s %s: must be %d numbers from %d to %d"
              .formatted(
                  name, Arrays.toString(values), otherwise.length, least, OnnxWindow.MAX_LENGTH));
    }
    return Arrays.stream(values).mapToInt(Math::toIntExact).toArray();
  }

  /**
   * Fails unless an attribute has the only value that Braid supports.
   *
   * @param otherwise the default value
   */
  void require(String name, double otherwise, double needed) {
    Optional<AttributeProto> attribute =
        node.getAttributeList().stream().filter(it -> it.getName().equals(name)).findFirst();
    double value =
        attribute
            .map(it -> it.getType() == AttributeType.FLOAT ? it.getF() : (double) it.getI())
            .orElse(otherwise);
    if (value != needed) {
      throw refused("%s %s: must be %s".formatted(name, plain(value), plain(needed)));
    }
  }

  private static String plain(double value) {
    return value == Math.rint(value) ? "%.0f".formatted(value) : Float.toString((float) value);
  }
}
