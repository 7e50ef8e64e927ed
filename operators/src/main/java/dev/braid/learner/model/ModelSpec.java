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
 * All that a worker must know of a model. It is made once, where the job is submitted, and travels
 * in the job's graph; what lasts is a model file.
 *
 * @param name what the user calls the model: a preset's name or a file
 * @param configuration a Deeplearning4j {@code MultiLayerConfiguration}, as JSON
 * @param seed what initial weights are drawn from, where there are none
 * @param weights initial weights, in {@link ParameterOrder}; of length 0 to draw them
 * @param updaterState the state of the model's own optimiser, in vectors like that of the weights
 * @param steps how many steps the optimiser has taken; 0 where it is to begin from zeros
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
   * The model of a preset or a file. Nobody has tried yet whether that of a file fits the data.
   *
   * @param model a preset's name, a Deeplearning4j JSON configuration, a saved model (zip), or an
   *     ONNX model
   * @param shape what the samples look like
   * @param seed what initial weights are drawn from; it takes the place of a configuration's seed
   * @throws InvalidModelException if the model cannot be read, or cannot be trained faithfully by
   *     parallel workers
   */
  public static ModelSpec untried(String model, Shape shape, long seed) {
    // First of all, as Deeplearning4j's configurations load the library, too.
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

  /** The names of the models that need no file. */
  public static Set<String> presets() {
    return Presets.names();
  }

  /** Whether a model needs no file. */
  public static boolean isPreset(String model) {
    return presets().contains(model);
  }

  /**
   * The model of a file of Deeplearning4j, whatever data it is for.
   *
   * @throws InvalidModelException if it cannot be read or trained faithfully by parallel workers
   */
  public static ModelSpec read(Path file, long seed) {
    return read(file.toString(), file, seed);
  }

  /**
   * Reads a model whose file is not what the user calls it.
   *
   * @param name names the model in messages
   * @throws InvalidModelException if it cannot be read or trained faithfully by parallel workers
   */
  public static ModelSpec read(String name, Path file, long seed) {
    NativeMath.useOneThread();
    return ModelReader.read(name, file, seed);
  }

  /**
   * The optimiser that the model brings; a preset's is one with which it learns.
   *
   * @throws InvalidModelException if it is none that Braid has, or not the same for all layers
   */
  public UpdaterSpec updater() {
    return ModelUpdater.of(name, parsed());
  }

  /** How many parameters the model has. */
  public int length() {
    MultiLayerConfiguration model = parsed();
    return ModelStack.start(model, model.getConfs().size());
  }

  /** Which of the model's parameters an optimiser treats otherwise than the rest. */
  public ParameterKinds parameters() {
    return ParameterKinds.of(parsed());
  }

  /** The same model with weights, not biases, that decay by this share at a learning rate of 1. */
  public ModelSpec withWeightDecay(double share) {
    MultiLayerConfiguration model = parsed();
    model.getConfs().stream()
        .flatMap(conf -> RecurrentLayers.withUpdater(conf.getLayer()).stream())
        .forEach(layer -> Regularisation.setDecay(layer, share));
    return new ModelSpec(name, model.toJson(), seed, weights, updaterState, steps);
  }

  /**
   * Returns the same model with a loss and a gradient that multiply those of each sample by the
   * weight of its class. Deeplearning4j keeps the weights with the loss function.
   *
   * @param classWeights a weight of 0 or more for each output; none for 1 each
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

  /** Returns the weight of each class in the loss; none where each class has the weight 1. */
  public double[] classWeights() {
    return loss(parsed()) instanceof LossMCXENT crossEntropy && crossEntropy.getWeights() != null
        ? crossEntropy.getWeights().toDoubleVector()
        : new double[0];
  }

  /**
   * Returns the mean loss of a model that gives all classes the same probability: the natural
   * logarithm of their number, times the mean weight of a sample. NaN where the loss is none of
   * probabilities.
   *
   * @param samples of each class
   */
  public double guessingLoss(List<Integer> samples) {
    // The negative log-likelihood is one, too.
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

  /** Whether its loss takes a logarithm of values that it is to give. */
  public boolean needsValuesFromZero() {
    ILossFunction loss = loss(parsed());
    return loss instanceof LossPoisson || loss instanceof LossMSLE;
  }

  private static ILossFunction loss(MultiLayerConfiguration model) {
    return ((OutputLayer) model.getConf(model.getConfs().size() - 1).getLayer()).getLossFn();
  }

  /**
   * Whether {@code chosen} goes on from the saved optimiser, being of its kind, rather than from
   * zeros. Its settings may differ: a lower learning rate, say.
   */
  public boolean continuesWith(UpdaterSpec chosen) {
    return steps > 0 && updater().getClass() == chosen.getClass();
  }

  /**
   * Returns the state vectors that {@code chosen} begins with.
   *
   * @param length of the weights, which may be followed by running statistics that a saved
   *     optimiser has no state of
   */
  public float[][] initialState(UpdaterSpec chosen, int length) {
    float[][] state = new float[chosen.create().stateVectors()][length];
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
   * Refuses batches that are larger than a layer's arrays may be.
   *
   * @throws InvalidModelException that says how large they may be
   */
  public void checkBatch(Shape shape, int samples) {
    MultiLayerConfiguration model = parsed();
    BatchLimit.of(this, model, ModelInput.of(this, model, shape)).check(samples);
  }

  /** How many steps {@code chosen} has taken before the first. */
  public long initialSteps(UpdaterSpec chosen) {
    return continuesWith(chosen) ? steps : 0;
  }

  /** The same model with other weights, optimiser state and steps: what a job has made of it. */
  public ModelSpec with(float[] newWeights, float[][] newState, long newSteps) {
    return new ModelSpec(name, configuration, seed, newWeights, newState, newSteps);
  }

  public MultiLayerConfiguration parsed() {
    return ModelReader.parse(name, configuration);
  }
}
