package dev.braid.learner.model;

import dev.braid.learner.InvalidModelException;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.FeedForwardLayer;
import org.deeplearning4j.nn.conf.layers.Layer;

/** The size of a model, computed from its configuration before memory is allocated for it. */
final class ModelSize {

  /** Highest number of elements in a Java array, less a reserve for the JVM's own header. */
  private static final long MAX_ARRAY_LENGTH = Integer.MAX_VALUE - 8;

  private ModelSize() {}

  /**
   * Returns the number of a model's parameters.
   *
   * @param name the user's name for the model, for messages
   * @throws InvalidModelException if the parameters do not fit into this process
   */
  static int parameters(String name, MultiLayerConfiguration model) {
    long most = Math.min(MAX_ARRAY_LENGTH, Runtime.getRuntime().maxMemory() / Float.BYTES);
    long parameters = 0;
    for (NeuralNetConfiguration layer : model.getConfs()) {
      // Each summand is far below the range of a long, and so is the sum.
      parameters += parameters(name, layer, most);
      if (parameters > most) {
        throw tooMany(name, most);
      }
    }
    return (int) parameters;
  }

  private static long parameters(String name, NeuralNetConfiguration configuration, long most) {
    Layer layer = configuration.getLayer();
    try {
      if (layer instanceof FeedForwardLayer connected) {
        long weights = Math.multiplyExact(connected.getNIn(), connected.getNOut());
        if (layer instanceof ConvolutionLayer convolution) {
          for (int side : convolution.getKernelSize()) {
            weights = Math.multiplyExact(weights, side);
          }
        }
        if (Math.max(weights, Math.max(connected.getNIn(), connected.getNOut())) > most) {
          throw tooMany(name, most);
        }
      }
      return Math.max(0, layer.initializer().numParams(configuration));
    } catch (ArithmeticException e) {
      throw tooMany(name, most);
    } catch (InvalidModelException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new InvalidModelException("model " + name + ": " + InvalidModelException.reason(e), e);
    }
  }

  private static InvalidModelException tooMany(String name, long most) {
    return new InvalidModelException(
        "model "
            + name
            + ": its layers have more than "
            + most
            + " parameters, the maximum for the memory of this process");
  }
}
