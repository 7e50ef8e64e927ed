package dev.braid.learner.onnx.reader;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.nd4j.linalg.activations.IActivation;
import org.nd4j.linalg.activations.impl.ActivationELU;
import org.nd4j.linalg.activations.impl.ActivationGELU;
import org.nd4j.linalg.activations.impl.ActivationHardSigmoid;
import org.nd4j.linalg.activations.impl.ActivationHardTanH;
import org.nd4j.linalg.activations.impl.ActivationLReLU;
import org.nd4j.linalg.activations.impl.ActivationMish;
import org.nd4j.linalg.activations.impl.ActivationReLU;
import org.nd4j.linalg.activations.impl.ActivationReLU6;
import org.nd4j.linalg.activations.impl.ActivationSELU;
import org.nd4j.linalg.activations.impl.ActivationSigmoid;
import org.nd4j.linalg.activations.impl.ActivationSoftPlus;
import org.nd4j.linalg.activations.impl.ActivationSoftSign;
import org.nd4j.linalg.activations.impl.ActivationSwish;
import org.nd4j.linalg.activations.impl.ActivationTanH;
import org.nd4j.linalg.activations.impl.ActivationThresholdedReLU;

/** Recognises elementwise activations. Some consist of several nodes. */
final class OnnxFunctions {

  private static final float SELU_ALPHA = 1.6732632f;
  private static final float SELU_GAMMA = 1.0507010f;

  /**
   * An activation.
   *
   * @param nodes number of nodes that the activation consists of
   */
  record Found(IActivation function, int nodes) {}

  private final OnnxConstants constants;

  OnnxFunctions(OnnxConstants constants) {
    this.constants = constants;
  }

  /**
   * Returns the activation with which a list of nodes begins; empty if it begins with none.
   *
   * @param value name of its input
   */
  Optional<Found> find(String value, List<OnnxNode> nodes) {
    Optional<Found> gate = gate(value, nodes);
    return gate.isPresent() ? gate : function(nodes.get(0)).map(function -> new Found(function, 1));
  }

  private Optional<IActivation> function(OnnxNode node) {
    return Optional.ofNullable(
        switch (node.operator()) {
          case "Relu" -> new ActivationReLU();
          case "LeakyRelu" -> new ActivationLReLU(node.number("alpha", 0.01f));
          case "ThresholdedRelu" -> new ActivationThresholdedReLU(node.number("alpha", 1));
          case "Elu" -> new ActivationELU(node.number("alpha", 1));
          case "Selu" -> {
            node.require("alpha", SELU_ALPHA, SELU_ALPHA);
            node.require("gamma", SELU_GAMMA, SELU_GAMMA);
            yield new ActivationSELU();
          }
          case "Sigmoid" -> new ActivationSigmoid();
          case "HardSigmoid" -> {
            node.require("alpha", 0.2f, 0.2f);
            node.require("beta", 0.5f, 0.5f);
            yield new ActivationHardSigmoid();
          }
          case "Tanh" -> new ActivationTanH();
          case "Softplus" -> new ActivationSoftPlus();
          case "Softsign" -> new ActivationSoftSign();
          case "Mish" -> new ActivationMish();
          case "Clip" -> clip(node);
          default -> null;
        });
  }

  /** Reads a clipping; its bounds were attributes before version 11 of the operators. */
  private IActivation clip(OnnxNode node) {
    if (isBetween(node, 0, 6)) {
      return new ActivationReLU6();
    }
    if (isBetween(node, -1, 1)) {
      return new ActivationHardTanH();
    }
    throw node.refused("bounds: must be 0 and 6 (ReLU6), or -1 and 1 (Hardtanh)");
  }

  private boolean isBetween(OnnxNode node, double least, double most) {
    return node.hasInput(2)
        ? constants.isNumber(node, 1, least) && constants.isNumber(node, 2, most)
        : node.inputs().size() == 1
            && node.number("min", Double.NaN) == least
            && node.number("max", Double.NaN) == most;
  }

  /** Finds a product of a value and a function of it. */
  private Optional<Found> gate(String value, List<OnnxNode> nodes) {
    if (isGate(value, nodes, "Sigmoid")) {
      return Optional.of(new Found(new ActivationSwish(), 2));
    }
    if (isGate(value, nodes, "Softplus", "Tanh")) {
      return Optional.of(new Found(new ActivationMish(), 3));
    }
    OnnxNode first = nodes.get(0);
    boolean isScaled =
        first.is("Mul")
            && (constants.isNumber(first, 0, 1.702) || constants.isNumber(first, 1, 1.702));
    return isScaled && isGate(value, nodes, "Mul", "Sigmoid")
        ? Optional.of(new Found(new ActivationGELU(), 3))
        : Optional.empty();
  }

  /**
   * Returns whether the nodes are these operators, one after the other, followed by a product with
   * the value.
   */
  private static boolean isGate(String value, List<OnnxNode> nodes, String... operators) {
    if (nodes.size() <= operators.length) {
      return false;
    }
    String last = value;
    for (int i = 0; i < operators.length; i++) {
      if (!nodes.get(i).is(operators[i]) || !nodes.get(i).inputs().contains(last)) {
        return false;
      }
      last = nodes.get(i).output();
    }
    OnnxNode product = nodes.get(operators.length);
    return product.is("Mul")
        && product.inputs().size() == 2
        && Set.copyOf(product.inputs()).equals(Set.of(value, last));
  }
}
