package dev.braid.learner.onnx.reader;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import onnx.Onnx.AttributeProto;
import onnx.Onnx.TensorProto;

/** Constants of a graph: its initializers, and the results of nodes that take only constants. */
final class OnnxConstants {

  /**
   * Highest number of integers in a constant; integers are used only for shapes, axes and paddings.
   */
  private static final int MAX_SIDES = 16;

  /**
   * Tensors by name. Weights are decoded where they are used, so that they are not in memory twice.
   */
  private final Map<String, Supplier<ConstantTensor>> tensors = new HashMap<>();

  OnnxConstants(List<TensorProto> initializers) {
    initializers.forEach(tensor -> tensors.put(tensor.getName(), () -> ConstantTensor.of(tensor)));
  }

  boolean has(String name) {
    return tensors.containsKey(name);
  }

  /** Adds the result of a node. */
  void put(String name, ConstantTensor tensor) {
    tensors.put(name, () -> tensor);
  }

  /**
   * Returns whether all inputs of a node are constants; if so, its result has been added to the
   * constants.
   */
  boolean fold(OnnxNode node) {
    if (node.is("Constant")) {
      tensors.put(node.output(), constant(node));
      return true;
    }
    if (node.inputs().isEmpty() || !node.inputs().stream().allMatch(this::has)) {
      return false;
    }
    Supplier<ConstantTensor> first = tensors.get(node.inputs().get(0));
    switch (node.operator()) {
      case "Identity" -> tensors.put(node.output(), first);
      case "Transpose" -> {
        if (!Arrays.equals(node.wholes("perm").orElse(new long[] {1, 0}), new long[] {1, 0})) {
          throw node.refused("perm: must be [1, 0], for a matrix");
        }
        tensors.put(node.output(), () -> floats(node, first.get(), 2).transposed());
      }
      // The numbers of a shape are treated as one row, whatever their dimensions.
      case "Cast", "Squeeze", "Unsqueeze" ->
          put(node.output(), ConstantTensor.row(wholes(node, 0)));
      case "Gather" -> {
        long[] values = wholes(node, 0);
        node.require("axis", 0, 0);
        put(
            node.output(),
            ConstantTensor.row(
                Arrays.stream(wholes(node, 1))
                    .map(i -> values[Math.toIntExact(i < 0 ? i + values.length : i)])
                    .toArray()));
      }
      case "Concat" -> {
        long[] values =
            node.inputs().stream()
                .flatMapToLong(name -> LongStream.of(wholes(node, tensors.get(name).get())))
                .toArray();
        put(node.output(), ConstantTensor.row(values));
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private static Supplier<ConstantTensor> constant(OnnxNode node) {
    if (node.tensor("value").isPresent()) {
      TensorProto tensor = node.tensor("value").get();
      return () -> ConstantTensor.of(tensor);
    }
    if (node.wholes("value_ints").isPresent()) {
      ConstantTensor row = ConstantTensor.row(node.wholes("value_ints").get());
      return () -> row;
    }
    if (node.has("value_int", AttributeProto.AttributeType.INT)) {
      ConstantTensor row = ConstantTensor.row(node.whole("value_int", 0));
      return () -> row;
    }
    if (node.has("value_float", AttributeProto.AttributeType.FLOAT)) {
      float[] value = {(float) node.number("value_float", 0)};
      return () -> new ConstantTensor(new long[0], value, new long[0]);
    }
    throw node.refused("a constant: must be a tensor, integers or a float");
  }

  private ConstantTensor tensor(OnnxNode node, int input) {
    String name = node.input(input);
    if (!has(name)) {
      throw node.refused("input %d is computed: must be a constant".formatted(input));
    }
    return tensors.get(name).get();
  }

  /** Returns an input of whole numbers. */
  long[] wholes(OnnxNode node, int input) {
    return wholes(node, tensor(node, input));
  }

  private static long[] wholes(OnnxNode node, ConstantTensor tensor) {
    if (tensor.floats().length > 0) {
      throw node.refused("takes floats: must be int64");
    }
    if (tensor.wholes().length > MAX_SIDES) {
      throw node.refused(
          "takes %d integers: must be at most %d".formatted(tensor.wholes().length, MAX_SIDES));
    }
    return tensor.wholes();
  }

  /** Returns an input of float32 numbers with {@code sides} dimensions. */
  ConstantTensor floats(OnnxNode node, int input, int sides) {
    return floats(node, tensor(node, input), sides);
  }

  private static ConstantTensor floats(OnnxNode node, ConstantTensor tensor, int sides) {
    if (tensor.floats().length == 0 || tensor.sides().length != sides) {
      throw node.refused(
          "takes a constant of shape %s: must be float32 numbers with %d dimensions"
              .formatted(Arrays.toString(tensor.sides()), sides));
    }
    return tensor;
  }

  /**
   * Returns an input that is a row of {@code length} float32 numbers; leading dimensions of 1 are
   * allowed.
   */
  float[] row(OnnxNode node, int input, int length) {
    ConstantTensor tensor = tensor(node, input);
    long[] sides = tensor.sides();
    if (tensor.floats().length != length
        || sides.length == 0
        || sides[sides.length - 1] != length) {
      throw node.refused(
          "input %d has shape %s: must be [%d] of float32 numbers"
              .formatted(input, Arrays.toString(sides), length));
    }
    return tensor.floats();
  }

  /** Returns whether an input is the constant {@code value}. */
  boolean isNumber(OnnxNode node, int input, double value) {
    return has(node.input(input))
        && Arrays.equals(tensor(node, input).floats(), new float[] {(float) value});
  }
}
