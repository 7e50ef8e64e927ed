package dev.braid.learner.structure;

import java.util.Set;
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
import org.nd4j.linalg.activations.impl.ActivationSwish;
import org.nd4j.linalg.activations.impl.ActivationTanH;
import org.nd4j.linalg.activations.impl.ActivationThresholdedReLU;

/** Properties of ND4J's activation functions that Braid relies on. */
public final class Activations {

  /**
   * Functions of each element. Softmax, for example, is a function of all of a sample's elements.
   */
  private static final Set<Class<? extends IActivation>> ELEMENTWISE =
      Set.of(
          ActivationCube.class,
          ActivationELU.class,
          ActivationGELU.class,
          ActivationHardSigmoid.class,
          ActivationHardTanH.class,
          ActivationIdentity.class,
          ActivationLReLU.class,
          ActivationMish.class,
          ActivationRationalTanh.class,
          ActivationReLU.class,
          ActivationReLU6.class,
          ActivationRectifiedTanh.class,
          ActivationSELU.class,
          ActivationSigmoid.class,
          ActivationSoftPlus.class,
          ActivationSoftSign.class,
          ActivationSwish.class,
          ActivationTanH.class,
          ActivationThresholdedReLU.class);

  private Activations() {}

  /** Returns whether a function applies to each element independently. */
  static boolean isElementwise(IActivation function) {
    return ELEMENTWISE.contains(function.getClass());
  }

  /**
   * Returns whether a function is {@code max(0, x)}, without an upper bound, threshold or negative
   * slope.
   */
  public static boolean isPlainRectifier(IActivation function) {
    return function instanceof ActivationReLU relu
        && relu.getMax() == null
        && relu.getThreshold() == null
        && relu.getNegativeSlope() == null;
  }
}
