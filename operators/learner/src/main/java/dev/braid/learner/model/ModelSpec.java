package dev.braid.learner.model;

import dev.braid.learner.InvalidModelException;
import dev.braid.learner.Shape;
import dev.braid.learner.math.NativeMath;
import dev.braid.learner.optimiser.ParameterKinds;
import dev.braid.learner.optimiser.UpdaterSpec;
import dev.braid.learner.structure.ModelStack;
import dev.braid.learner.structure.ParameterOrder;
import dev.braid.learner.structure.RecurrentLayers;
import dev.braid.learner.structure.Regularisation;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.lossfunctions.ILossFunction;
import org.nd4j.linalg.lossfunctions.impl.LossMCXENT;
import org.nd4j.linalg.lossfunctions.impl.LossMSLE;
import org.nd4j.linalg.lossfunctions.impl.LossPoisson;

/**
 * Everything that a worker needs to know about a model. It is created once, at the submission of
 * the job, and is serialised in the job's graph. The durable form of a model is a model file.
 *
 * @param name the user's name for the model: a preset's name or a file
 * @param configuration a Deeplearning4j {@code MultiLayerConfiguration}, as JSON
 * @param seed seed of the random initial weights, if {@code weights} is empty
 * @param weights initial weights, in {@link ParameterOrder}; of length 0 for random weights
 * @param updaterState the state of the model's own optimiser: vectors of the weights' length
 * @param steps number of steps that the optimiser has taken; 0 if its state begins with zeros
 */
public record ModelSpec(
    String name,
    String configuration,
    long seed,
    float[] weights,
    float[][] updaterState,
    long steps)
    implements Serializable {

  /**
   * Returns the model of a preset or a file, without testing that a file's model fits the data.
   *
   * @param model a preset's name, a Deeplearning4j JSON configuration, a saved model (zip), or an
   *     ONNX model
   * @param shape the shape of the samples
   * @param seed seed of the random initial weights; it replaces a configuration's seed
   * @throws InvalidModelException if the model cannot be read, or cannot be trained faithfully by
   *     parallel workers
   */
  public static ModelSpec untried(String model, Shape shape, long seed) {
    // Must come first, because Deeplearning4j's configuration classes load the library, too.
    NativeMath.useOneThread();
    for (Presets preset : Presets.values()) {
      if (preset.presetName().equals(model)) {
        MultiLayerConfiguration configuration = preset.configuration(shape, seed);
        return new ModelSpec(model, configuration.toJson(), seed, new float[0], new float[0][], 0);
      }
    }
    Path file = Path.of(model);
    if (!Files.isRegularFile(file)) {
      throw new InvalidModelException(
          "model %s: no such file; must be a file or one of %s"
              .formatted(model, String.join(", ", presets())));
    }
    return ModelReader.read(file, shape, seed);
  }

  /** Returns the names of the models that need no file. */
  public static Set<String> presets() {
    return Presets.names();
  }

  /** Returns whether a model is a preset, which needs no file. */
  public static boolean isPreset(String model) {
    return presets().contains(model);
  }

  /**
   * Reads the model of a Deeplearning4j file, for any data.
   *
   * @throws InvalidModelException if it cannot be read or trained faithfully by parallel workers
   */
  public static ModelSpec read(Path file, long seed) {
    return read(file.toString(), file, seed);
  }

  /**
   * Reads a model whose file has another name than the user's name for it.
   *
   * @param name name of the model in messages
   * @throws InvalidModelException if it cannot be read or trained faithfully by parallel workers
   */
  public static ModelSpec read(String name, Path file, long seed) {
    NativeMath.useOneThread();
    return ModelReader.read(name, file, seed);
  }

  /**
   * Returns the optimiser of the model's configuration; a preset has one with which it learns.
   *
   * @throws InvalidModelException if Braid does not have the optimiser, or if it differs between
   *     layers
   */
  public UpdaterSpec updater() {
    return ModelUpdater.of(name, parsed());
  }

  /** Returns the number of the model's parameters. */
  public int length() {
    MultiLayerConfiguration model = parsed();
    return ModelStack.start(model, model.getConfs().size());
  }

  /** Returns the parameters that an optimiser treats specially. */
  public ParameterKinds parameters() {
    return ParameterKinds.of(parsed());
  }

  /**
   * Returns this model with the given decay of weights, but not of biases.
   *
   * @param share fraction of each weight subtracted per step, at a learning rate of 1
   */
  public ModelSpec withWeightDecay(double share) {
    MultiLayerConfiguration model = parsed();
    model.getConfs().stream()
        .flatMap(conf -> RecurrentLayers.withUpdater(conf.getLayer()).stream())
        .forEach(layer -> Regularisation.setDecay(layer, share));
    return new ModelSpec(name, model.toJson(), seed, weights, updaterState, steps);
  }

  /**
   * Returns this model with a loss and a gradient that multiply those of each sample by the weight
   * of its class. Deeplearning4j stores the weights with the loss function.
   *
   * @param classWeights a weight of 0 or more for each output; empty if all weights are 1
   * @throws InvalidModelException if the loss is not a cross entropy of classes, whose weights of
   *     outputs are weights of classes
   */
  public ModelSpec withClassWeights(double[] classWeights) {
    MultiLayerConfiguration model = parsed();
    if (!(loss(model) instanceof LossMCXENT crossEntropy)) {
      throw new InvalidModelException(
          "model "
              + name
              + ": loss "
              + loss(model)
              + ": class weights need the loss MCXENT or NEGATIVELOGLIKELIHOOD");
    }
    crossEntropy.setWeights(
        classWeights.length == 0
            ? null
            : Nd4j.createFromArray(classWeights).reshape(1, classWeights.length));
    return new ModelSpec(name, model.toJson(), seed, weights, updaterState, steps);
  }

  /** Returns the weight of each class in the loss; empty if all weights are 1. */
  public double[] classWeights() {
    return loss(parsed()) instanceof LossMCXENT crossEntropy && crossEntropy.getWeights() != null
        ? crossEntropy.getWeights().toDoubleVector()
        : new double[0];
  }

  /**
   * Returns the mean loss of a model that predicts the same probability for all classes: the
   * natural logarithm of the number of classes, times the mean weight of a sample. Returns NaN if
   * the loss is not a cross entropy of classes.
   *
   * @param samples number of samples of each class
   */
  public double guessingLoss(List<Integer> samples) {
    // The negative log-likelihood is a subclass.
    if (!(loss(parsed()) instanceof LossMCXENT)) {
      return Double.NaN;
    }
    double[] classWeights = classWeights();
    double weight = 1;
    if (classWeights.length > 0) {
      double sum = 0;
      for (int i = 0; i < classWeights.length; i++) {
        sum += classWeights[i] * samples.get(i);
      }
      weight = sum / samples.stream().mapToInt(Integer::intValue).sum();
    }
    return weight * Math.log(samples.size());
  }

  /**
   * Returns whether the loss takes a logarithm of the target values, which must not be negative.
   */
  public boolean needsValuesFromZero() {
    ILossFunction loss = loss(parsed());
    return loss instanceof LossPoisson || loss instanceof LossMSLE;
  }

  private static ILossFunction loss(MultiLayerConfiguration model) {
    return ((OutputLayer) model.getConf(model.getConfs().size() - 1).getLayer()).getLossFn();
  }

  /**
   * Returns whether {@code chosen} continues with the state of the saved optimiser, because it is
   * of the same kind. Its settings may differ, for example in a lower learning rate.
   */
  public boolean continuesWith(UpdaterSpec chosen) {
    return steps > 0 && updater().getClass() == chosen.getClass();
  }

  /**
   * Returns the initial state vectors of {@code chosen}.
   *
   * @param length length of the weights, including running statistics at their end, for which a
   *     saved optimiser has no state
   */
  public float[][] initialState(UpdaterSpec chosen, int length) {
    float[][] state = new float[chosen.stateVectors()][length];
    boolean goesOn = continuesWith(chosen);
    for (int i = 0; i < state.length; i++) {
      Arrays.fill(state[i], chosen.initialState());
      if (goesOn) {
        System.arraycopy(updaterState[i], 0, state[i], 0, updaterState[i].length);
      }
    }
    return state;
  }

  /**
   * Checks the size of a batch against the largest arrays of the model's layers.
   *
   * @throws InvalidModelException if the batch is too large; the message states the limit
   */
  public void checkBatch(Shape shape, int samples) {
    MultiLayerConfiguration model = parsed();
    BatchLimit.of(this, model, ModelInput.of(this, model, shape)).check(samples);
  }

  /** Returns the number of steps that {@code chosen} has taken before this run's first step. */
  public long initialSteps(UpdaterSpec chosen) {
    return continuesWith(chosen) ? steps : 0;
  }

  /**
   * Returns this model with other weights, optimiser state and number of steps: the result of a
   * job.
   */
  public ModelSpec with(float[] newWeights, float[][] newState, long newSteps) {
    return new ModelSpec(name, configuration, seed, newWeights, newState, newSteps);
  }

  public MultiLayerConfiguration parsed() {
    return ModelReader.parse(name, configuration);
  }
}
