package dev.braid.learner.onnx;

import dev.braid.learner.InvalidModelException;
import dev.braid.learner.structure.Activations;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.nd4j.linalg.activations.IActivation;
import org.nd4j.linalg.activations.impl.ActivationCube;
import org.nd4j.linalg.activations.impl.ActivationELU;
import org.nd4j.linalg.activations.impl.ActivationGELU;
import org.nd4j.linalg.activations.impl.ActivationHardSigmoid;
import org.nd4j.linalg.activations.impl.ActivationHardTanH;
import org.nd4j.linalg.activations.impl.ActivationIdentity;
import org.nd4j.linalg.activations.impl.ActivationLReLU;
import org.nd4j.linalg.activations.impl.ActivationMish;
import org.nd4j.linalg.activations.impl.ActivationRationalTanh;
import org.nd4j.linalg.activations.impl.ActivationReLU;
import org.nd4j.linalg.activations.impl.ActivationReLU6;
import org.nd4j.linalg.activations.impl.ActivationRectifiedTanh;
import org.nd4j.linalg.activations.impl.ActivationSELU;
import org.nd4j.linalg.activations.impl.ActivationSigmoid;
import org.nd4j.linalg.activations.impl.ActivationSoftPlus;
import org.nd4j.linalg.activations.impl.ActivationSoftSign;
import org.nd4j.linalg.activations.impl.ActivationSoftmax;
import org.nd4j.linalg.activations.impl.ActivationSwish;
import org.nd4j.linalg.activations.impl.ActivationTanH;
import org.nd4j.linalg.activations.impl.ActivationThresholdedReLU;

/** Translates the activations of one layer. */
final class OnnxActivations {

  private final OnnxGraph graph;
  private final String model;
  private final int index;

  /**
   * @param model the user's name for the model, for messages
   * @param index index of the layer
   */
  OnnxActivations(OnnxGraph graph, String model, int index) {
    this.graph = graph;
    this.model = model;
    this.index = index;
  }

  /** Adds an activation; returns the name of its output. */
  String add(IActivation activation, String value) {
    if (activation instanceof ActivationIdentity) {
      return value;
    }
    if (activation instanceof ActivationReLU rectifier) {
      return rectified(rectifier, value);
    }
    if (activation instanceof ActivationReLU6) {
      return clip(value, 0, 6);
    }
    if (activation instanceof ActivationLReLU leaky) {
      return graph.node("LeakyRelu", value).with("alpha", leaky.getAlpha()).add();
    }
    if (activation instanceof ActivationThresholdedReLU thresholded) {
      return graph.node("ThresholdedRelu", value).with("alpha", thresholded.getTheta()).add();
    }
    if (activation instanceof ActivationELU elu) {
      return graph.node("Elu", value).with("alpha", elu.getAlpha()).add();
    }
    if (activation instanceof ActivationSELU) {
      return graph.apply("Selu", value);
    }
    if (activation instanceof ActivationSigmoid) {
      return graph.apply("Sigmoid", value);
    }
    if (activation instanceof ActivationHardSigmoid) {
      return graph.apply("HardSigmoid", value);
    }
    if (activation instanceof ActivationTanH) {
      return graph.apply("Tanh", value);
    }
    if (activation instanceof ActivationHardTanH) {
      return clip(value, -1, 1);
    }
    if (activation instanceof ActivationRectifiedTanh) {
      return graph.apply("Relu", graph.apply("Tanh", value));
    }
    if (activation instanceof ActivationRationalTanh) {
      return rationalTanh(value);
    }
    if (activation instanceof ActivationSoftmax) {
      return graph.node("Softmax", value).with("axis", -1).add();
    }
    if (activation instanceof ActivationSoftPlus) {
      return graph.apply("Softplus", value);
    }
    if (activation instanceof ActivationSoftSign) {
      return graph.apply("Softsign", value);
    }
    if (activation instanceof ActivationSwish) {
      return times(value, graph.apply("Sigmoid", value));
    }
    if (activation instanceof ActivationMish) {
      return times(value, graph.apply("Tanh", graph.apply("Softplus", value)));
    }
    if (activation instanceof ActivationGELU gelu) {
      return gelu.isPrecise()
          ? preciseGelu(value)
          : times(value, graph.apply("Sigmoid", times(value, graph.constant(1.702))));
    }
    if (activation instanceof ActivationCube) {
      return times(value, times(value, value));
    }
    throw refused(activation);
  }

  private InvalidModelException refused(IActivation activation) {
    return new InvalidModelException(
        "model %s: layer %d: activation %s: it cannot be exported to ONNX"
            .formatted(model, index, activation));
  }

  private String times(String one, String other) {
    return graph.apply("Mul", one, other);
  }

  private String plus(String one, String other) {
    return graph.apply("Add", one, other);
  }

  private String clip(String value, double least, double most) {
    return graph.apply("Clip", value, scalar(least), scalar(most));
  }

  private String scalar(double value) {
    return graph.constant(new float[] {(float) value}, new long[0]);
  }

  /**
   * Adds a rectifier, which may have a slope below 0 and an upper bound. Returns the name of its
   * output.
   */
  private String rectified(ActivationReLU rectifier, String value) {
    if (Objects.requireNonNullElse(rectifier.getThreshold(), 0.0) != 0) {
      throw refused(rectifier);
    }
    double slope = Objects.requireNonNullElse(rectifier.getNegativeSlope(), 0.0);
    String positive =
        slope == 0
            ? graph.apply("Relu", value)
            : graph.node("LeakyRelu", value).with("alpha", slope).add();
    double most = Objects.requireNonNullElse(rectifier.getMax(), 0.0);
    return most == 0 ? positive : graph.apply("Min", positive, graph.constant(most));
  }

  /**
   * Adds ND4J's rational tanh, an approximation by a rational function, times 1.7159. Returns the
   * name of its output.
   */
  private String rationalTanh(String value) {
    String y = times(value, graph.constant(2.0 / 3));
    String abs = graph.apply("Abs", y);
    String square = times(y, y);
    String fourth = times(times(square, square), graph.constant(1.41645));
    String one = graph.constant(1);
    String sum = plus(plus(one, abs), plus(square, fourth));
    String tanh = graph.apply("Sub", one, graph.apply("Div", one, sum));
    return times(times(graph.apply("Sign", y), tanh), graph.constant(1.7159));
  }

  private String preciseGelu(String value) {
    // ND4J applies the factor inside the cube.
    String part = times(value, graph.constant(0.044715));
    String inner = plus(value, times(part, times(part, part)));
    String tanh = graph.apply("Tanh", times(inner, graph.constant(Math.sqrt(2 / Math.PI))));
    return times(times(value, graph.constant(0.5)), plus(tanh, graph.constant(1)));
  }

  /** Sets the activations of a recurrent layer, for which ONNX has few. */
  void ofRecurrent(OnnxGraph.Node node, IActivation... activations) {
    List<String> names = new ArrayList<>();
    for (IActivation activation : activations) {
      if (activation instanceof ActivationTanH) {
        names.add("Tanh");
      } else if (activation instanceof ActivationSigmoid) {
        names.add("Sigmoid");
      } else if (Activations.isPlainRectifier(activation)) {
        names.add("Relu");
      } else if (activation instanceof ActivationHardSigmoid) {
        names.add("HardSigmoid");
      } else if (activation instanceof ActivationSoftSign) {
        names.add("Softsign");
      } else if (activation instanceof ActivationSoftPlus) {
        names.add("Softplus");
      } else {
        throw refused(activation);
      }
    }
    node.with("activations", names);
  }
}
