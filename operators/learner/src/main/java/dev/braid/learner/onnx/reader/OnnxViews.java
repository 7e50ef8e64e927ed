package dev.braid.learner.onnx.reader;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Reads nodes that only change the shape of their input. The first dimension of all arrays is the
 * samples.
 */
final class OnnxViews {

  /** Placeholder for the number of samples in a shape, which is known only when the model runs. */
  static final long SAMPLES = Long.MIN_VALUE;

  private final OnnxConstants constants;
  private final LayerChain chain;

  /** Number of samples with which the file was exported; 0 if it is open. */
  private final long batch;

  OnnxViews(OnnxConstants constants, LayerChain chain, long batch) {
    this.constants = constants;
    this.chain = chain;
    this.batch = batch;
  }

  /** Reads a node; returns whether it is one that only changes the shape. */
  boolean read(OnnxNode node) {
    long[] sides = chain.sides();
    switch (node.operator()) {
      case "Identity", "Dropout" -> {}
      // The inputs of layers are float32 only.
      case "Cast" -> node.require("to", 0, 1);
      case "Flatten" -> {
        long axis = node.whole("axis", 1);
        if (axis != 1 && axis != -sides.length) {
          throw node.refused("axis %d: must be 1".formatted(axis));
        }
        chain.reshape(chain.size());
      }
      case "Reshape" -> chain.reshape(reshaped(node, sides, constants.wholes(node, 1)));
      case "Squeeze" -> {
        boolean[] removed = marked(node, axes(node), sides.length + 1);
        List<Long> left = new ArrayList<>();
        for (int i = 0; i < sides.length; i++) {
          if (!removed[i + 1]) {
            left.add(sides[i]);
          } else if (sides[i] != 1) {
            throw node.refused("a dimension of %d: must be 1".formatted(sides[i]));
          }
        }
        chain.reshape(longs(left));
      }
      case "Unsqueeze" -> {
        long[] axes = axes(node);
        boolean[] added = marked(node, axes, sides.length + axes.length + 1);
        List<Long> all = new ArrayList<>();
        int from = 0;
        for (int i = 1; i < added.length; i++) {
          all.add(added[i] ? 1 : sides[from++]);
        }
        chain.reshape(longs(all));
      }
      case "Transpose" -> {
        long[] same = LongStream.rangeClosed(0, sides.length).toArray();
        if (!Arrays.equals(node.wholes("perm").orElse(new long[0]), same)) {
          throw node.refused(
              "exchanges dimensions of a sample: must be images with channels first (NCHW)");
        }
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private static long[] longs(List<Long> values) {
    return values.stream().mapToLong(Long::longValue).toArray();
  }

  /** Returns a node's axes, which are an attribute in older versions of the operators. */
  long[] axes(OnnxNode node) {
    return node.hasInput(1)
        ? constants.wholes(node, 1)
        : node.wholes("axes").orElseThrow(() -> node.refused("axes are missing"));
  }

  /**
   * Returns for each dimension whether it is one of the axes; the dimension of samples must not be.
   */
  static boolean[] marked(OnnxNode node, long[] axes, int sides) {
    boolean[] marked = new boolean[sides];
    for (long axis : axes) {
      long side = axis < 0 ? axis + sides : axis;
      if (side < 1 || side >= sides || marked[(int) side]) {
        throw node.refused(
            "axes %s: must be different axes from 1 to %d"
                .formatted(Arrays.toString(axes), sides - 1));
      }
      marked[(int) side] = true;
    }
    return marked;
  }

  /** Returns the dimensions of a sample after a Reshape. */
  private long[] reshaped(OnnxNode node, long[] sides, long[] target) {
    boolean keepsSamples =
        target.length > 1
            && (target[0] <= 0 || target[0] == batch)
            && (target[0] >= -1 || target[0] == SAMPLES);
    long[] result = Arrays.copyOfRange(target, Math.min(1, target.length), target.length);
    int open = -1;
    long size = 1;
    for (int i = 0; i < result.length && keepsSamples; i++) {
      if (result[i] == 0 && i < sides.length && node.whole("allowzero", 0) == 0) {
        result[i] = sides[i];
      }
      if (result[i] == -1 && open == -1 && target[0] != -1) {
        open = i;
      } else {
        keepsSamples = result[i] > 0;
        size = Math.multiplyExact(size, result[i]);
      }
    }
    if (keepsSamples && open != -1) {
      result[open] = chain.size() / size;
      size *= result[open];
    }
    if (!keepsSamples || size != chain.size()) {
      throw node.refused(
          "shape %s of samples of shape %s: samples must stay the first dimension"
              .formatted(Arrays.toString(target), Arrays.toString(sides)));
    }
    return result;
  }
}
