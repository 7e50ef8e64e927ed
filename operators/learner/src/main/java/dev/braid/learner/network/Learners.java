package dev.braid.learner.network;

import dev.braid.learner.InvalidModelException;
import dev.braid.learner.Learner;
import dev.braid.learner.Shape;
import dev.braid.learner.layer.StackBuilder;
import dev.braid.learner.math.NativeMath;
import dev.braid.learner.math.NativeVectors;
import dev.braid.learner.matrix.MatrixMultiplier;
import dev.braid.learner.matrix.MatrixMultipliers;
import dev.braid.learner.model.BatchLimit;
import dev.braid.learner.model.ModelCheck;
import dev.braid.learner.model.ModelInput;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.optimiser.ParameterKinds;
import dev.braid.learner.structure.ModelStack;
import dev.braid.learner.structure.ParameterOrder;
import dev.braid.learner.structure.Regularisation;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/** Factory of learners. */
public final class Learners {

  private Learners() {}

  /**
   * Creates the fastest learner for a model. The thread that computes must call this method, and
   * all methods of the learner.
   *
   * @throws InvalidModelException if the model does not fit the data or cannot be trained
   *     faithfully by parallel workers
   */
  public static Learner create(ModelSpec spec, Shape shape) {
    NativeMath.useOneThread();
    MultiLayerConfiguration model = spec.parsed();
    ModelCheck.check(spec.name(), model);
    ModelCheck.checkOutputs(spec.name(), model, shape);
    ModelInput input = ModelInput.of(spec, model, shape);
    MultiLayerNetwork network = network(spec, model);
    Regularisation regularisation = Regularisation.of(network);
    if (!ModelStack.isStack(model)) {
      return deep(spec, network, regularisation, shape);
    }
    if (ModelStack.firstDense(model) > 0) {
      tryOut(spec, network, input, shape);
    }
    free(network);
    BatchLimit limit = BatchLimit.of(spec, model, input);
    limit.check(1);
    StackBuilder.Layers layers = layers(spec, model, input, MatrixMultipliers::forTraining);
    return new StackLearner(spec, limit, model, regularisation, layers, shape.features());
  }

  /**
   * Returns whether a model's gradient is a sum over samples, and any {@linkplain
   * dev.braid.learner.Combination linear combination} of the samples' gradients can be computed.
   * This is false with batch normalisation, where a sample's gradient depends on other samples, and
   * with Deeplearning4j's layers.
   */
  public static boolean combines(MultiLayerConfiguration model) {
    return ModelStack.isStack(model) && ParameterKinds.of(model).statistics().isEmpty();
  }

  /**
   * Returns whether a model's samples may have {@linkplain dev.braid.learner.Targets#weights
   * weights}. With Deeplearning4j's own layers, all samples have weight 1.
   */
  public static boolean weighs(MultiLayerConfiguration model) {
    return ModelStack.isStack(model);
  }

  /**
   * Returns the forward pass of a model that {@link #create} has accepted, computed by Braid's own
   * layers if the model consists only of these.
   *
   * @param spec the model with its weights
   */
  static ScoringNetwork scoring(ModelSpec spec, Shape shape) {
    MultiLayerConfiguration model = spec.parsed();
    ModelInput input = ModelInput.of(spec, model, shape);
    if (!ModelStack.isStack(model)) {
      return new DeepScoring(weighted(spec), input, shape.features());
    }
    return new StackScoring(
        spec.weights(),
        BatchLimit.of(spec, model, input),
        model,
        layers(spec, model, input, MatrixMultipliers::forScoring),
        shape.features());
  }

  private static StackBuilder.Layers layers(
      ModelSpec spec,
      MultiLayerConfiguration model,
      ModelInput input,
      Supplier<MatrixMultiplier> multipliers) {
    try {
      return StackBuilder.build(model, input.imageShape(), multipliers);
    } catch (ArithmeticException e) {
      throw new InvalidModelException(
          "model "
              + spec.name()
              + ": the windows of a layer have more numbers in total than an array can hold: use "
              + "smaller images, smaller kernels or longer strides",
          e);
    }
  }

  /**
   * Creates a learner that uses Deeplearning4j for any model, and Deeplearning4j's order of the
   * parameters.
   */
  static Learner deep(ModelSpec spec, Shape shape) {
    NativeMath.useOneThread();
    MultiLayerNetwork network = network(spec, spec.parsed());
    return deep(spec, network, Regularisation.of(network), shape);
  }

  static void initialWeights(ModelSpec spec, float[] weights) {
    if (spec.weights().length > 0) {
      System.arraycopy(spec.weights(), 0, weights, 0, spec.weights().length);
      return;
    }
    MultiLayerConfiguration model = spec.parsed();
    MultiLayerNetwork network = network(spec, model);
    float[] drawn =
        ParameterOrder.of(model).fromDeeplearning4j(NativeVectors.toArray(network.params()));
    System.arraycopy(drawn, 0, weights, 0, drawn.length);
    free(network);
  }

  private static Learner deep(
      ModelSpec spec, MultiLayerNetwork network, Regularisation regularisation, Shape shape) {
    ModelInput input = ModelInput.of(spec, network.getLayerWiseConfigurations(), shape);
    tryOut(spec, network, input, shape);
    BatchLimit limit = BatchLimit.of(spec, network.getLayerWiseConfigurations(), input);
    return new DeepLearner(spec, limit, network, regularisation, input, shape.outputs());
  }

  /**
   * Returns Deeplearning4j's network with the model's weights. The caller {@link #free frees} it.
   */
  static MultiLayerNetwork weighted(ModelSpec spec) {
    MultiLayerConfiguration model = spec.parsed();
    MultiLayerNetwork network = network(spec, model);
    NativeVectors.put(ParameterOrder.of(model).toDeeplearning4j(spec.weights()), network.params());
    return network;
  }

  static MultiLayerNetwork network(ModelSpec spec, MultiLayerConfiguration model) {
    MultiLayerNetwork network = new MultiLayerNetwork(model);
    try {
      network.init();
    } catch (RuntimeException e) {
      throw new InvalidModelException(
          "model " + spec.name() + ": " + InvalidModelException.reason(e), e);
    }
    if (spec.weights().length > 0 && spec.weights().length != network.numParams()) {
      throw new InvalidModelException(
          "model "
              + spec.name()
              + ": "
              + spec.weights().length
              + " weights: must be "
              + network.numParams()
              + ", as its layers have");
    }
    return network;
  }

  /**
   * Frees a network that has computed no gradient. The network's own {@code close} runs two garbage
   * collections, which take a second when all workers start at once.
   */
  static void free(MultiLayerNetwork network) {
    network.params().close();
    Optional.ofNullable(network.getGradientsViewArray()).ifPresent(INDArray::close);
  }

  /** Computes one sample, so that a model that does not fit fails here instead of in the job. */
  private static void tryOut(
      ModelSpec spec, MultiLayerNetwork network, ModelInput input, Shape shape) {
    INDArray output;
    try {
      output = network.output(Nd4j.zeros(DataType.FLOAT, input.arrayShape(1)), false);
    } catch (RuntimeException e) {
      throw new InvalidModelException(
          "model "
              + spec.name()
              + ": does not take "
              + ModelInput.describe(shape)
              + ": "
              + InvalidModelException.reason(e),
          e);
    }
    if (output.rank() != 2 || output.size(0) != 1 || output.size(1) != shape.outputs()) {
      throw new InvalidModelException(
          "model "
              + spec.name()
              + ": output of shape "
              + Arrays.toString(output.shape())
              + " for a sample: must be [1, "
              + shape.outputs()
              + "]");
    }
  }
}
