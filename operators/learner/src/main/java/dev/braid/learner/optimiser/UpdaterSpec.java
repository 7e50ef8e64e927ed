package dev.braid.learner.optimiser;

import dev.braid.learner.structure.RecurrentLayers;
import java.io.Serializable;
import java.math.BigDecimal;
import java.util.List;
import java.util.OptionalDouble;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.nd4j.linalg.learning.config.AMSGrad;
import org.nd4j.linalg.learning.config.IUpdater;
import org.nd4j.linalg.learning.config.Nesterovs;

/**
 * An optimiser and its settings. Each setting has Deeplearning4j's meaning, so that training of a
 * saved model can continue in Deeplearning4j, and the other way round.
 *
 * <p>Learning rates apply to the mean gradient of a step's samples, not to their sum.
 */
public sealed interface UpdaterSpec extends Serializable {

  /** The optimisers' names on the command line. */
  List<String> NAMES = List.of("sgd", "momentum", "adam", "amsgrad", "rmsprop");

  double learningRate();

  /** Returns this optimiser with another learning rate. */
  UpdaterSpec withLearningRate(double rate);

  /** Creates the optimiser with a constant learning rate. */
  default Updater create() {
    return create(LearningRateSchedule.CONSTANT);
  }

  /** Creates the optimiser with a learning-rate schedule. */
  default Updater create(LearningRateSchedule schedule) {
    return new UpdatePipeline(Optimiser.of(this), schedule);
  }

  /** Returns the arithmetic of a step. */
  UpdateRule rule();

  /** Returns the number of vectors of the optimiser's state, each as long as the weights. */
  default int stateVectors() {
    return rule().stateVectors();
  }

  /** Returns the optimiser's name on the command line. */
  String title();

  /**
   * Returns whether the length of a step is independent of the gradient's length. Steps along parts
   * of such a gradient do not add up to the step along the whole gradient.
   */
  default boolean isAdaptive() {
    return true;
  }

  /** Returns the settings in words, for people. */
  default String describe() {
    return title() + ", learning rate " + plain(learningRate());
  }

  /** Returns the value of all elements of the state before the first step. */
  default float initialState() {
    return 0;
  }

  /** Returns the optimiser in Deeplearning4j's configuration classes. */
  IUpdater toDeeplearning4j();

  /** Sets this optimiser in all layers of a model. */
  default void setIn(MultiLayerConfiguration model) {
    model.getConfs().stream()
        .flatMap(conf -> RecurrentLayers.withUpdater(conf.getLayer()).stream())
        .forEach(
            layer -> {
              layer.setIUpdater(toDeeplearning4j());
              layer.setBiasUpdater(null);
            });
  }

  /**
   * Returns an optimiser by its name on the command line.
   *
   * @param name one of {@link #NAMES}
   * @param learningRate the learning rate. If empty, it is 0.1 for {@code sgd}; 0.01 for {@code
   *     momentum}, because a momentum of 0.9 eventually makes a step ten times as long; and 0.001
   *     for the adaptive optimisers, which is their usual rate.
   */
  static UpdaterSpec of(String name, OptionalDouble learningRate) {
    return switch (name) {
      case "sgd" -> new Sgd(learningRate.orElse(0.1));
      case "momentum" ->
          new Momentum(learningRate.orElse(0.01), Nesterovs.DEFAULT_NESTEROV_MOMENTUM);
      case "adam" -> new Adam(learningRate.orElse(0.001), 0.9, 0.999, 1e-8);
      case "amsgrad" -> new AmsGrad(learningRate.orElse(0.001), 0.9, 0.999, 1e-8);
      case "rmsprop" -> new RmsProp(learningRate.orElse(0.001), 0.95, 1e-8);
      default ->
          throw new IllegalArgumentException(
              "updater " + name + ": must be one of " + String.join(", ", NAMES));
    };
  }

  /** Plain gradient descent: {@code w -= learningRate * g}. */
  record Sgd(double learningRate) implements UpdaterSpec {
    public Sgd {
      checkLearningRate(learningRate);
    }

    @Override
    public UpdateRule rule() {
      return new UpdateRule.Sgd();
    }

    @Override
    public UpdaterSpec withLearningRate(double rate) {
      return new Sgd(rate);
    }

    @Override
    public boolean isAdaptive() {
      return false;
    }

    @Override
    public String title() {
      return "sgd";
    }

    @Override
    public IUpdater toDeeplearning4j() {
      return new org.nd4j.linalg.learning.config.Sgd(learningRate);
    }
  }

  /**
   * Nesterov's accelerated gradient: each step multiplies the velocity by {@code momentum} and adds
   * the gradient's step to it.
   */
  record Momentum(double learningRate, double momentum) implements UpdaterSpec {
    public Momentum {
      checkLearningRate(learningRate);
      checkDecay("momentum", momentum);
    }

    @Override
    public UpdateRule rule() {
      return new UpdateRule.Momentum((float) momentum);
    }

    @Override
    public UpdaterSpec withLearningRate(double rate) {
      return new Momentum(rate, momentum);
    }

    @Override
    public boolean isAdaptive() {
      return false;
    }

    @Override
    public String title() {
      return "momentum";
    }

    @Override
    public String describe() {
      return title() + " " + plain(momentum) + ", learning rate " + plain(learningRate);
    }

    @Override
    public IUpdater toDeeplearning4j() {
      return new Nesterovs(learningRate, momentum);
    }
  }

  /** Adam (Kingma and Ba, 2015), with the bias corrections folded into the learning rate. */
  record Adam(double learningRate, double beta1, double beta2, double epsilon)
      implements UpdaterSpec {
    public Adam {
      checkLearningRate(learningRate);
      checkDecay("beta1", beta1);
      checkDecay("beta2", beta2);
      checkEpsilon(epsilon);
    }

    @Override
    public UpdateRule rule() {
      return new UpdateRule.Adam((float) beta1, (float) beta2, (float) epsilon, false);
    }

    @Override
    public UpdaterSpec withLearningRate(double rate) {
      return new Adam(rate, beta1, beta2, epsilon);
    }

    @Override
    public String title() {
      return "adam";
    }

    @Override
    public IUpdater toDeeplearning4j() {
      return new org.nd4j.linalg.learning.config.Adam(learningRate, beta1, beta2, epsilon);
    }
  }

  /**
   * AMSGrad: Adam that divides by the largest mean of squares so far, so that steps do not grow
   * again when gradients become small (Reddi et al., 2018).
   */
  record AmsGrad(double learningRate, double beta1, double beta2, double epsilon)
      implements UpdaterSpec {
    public AmsGrad {
      checkLearningRate(learningRate);
      checkDecay("beta1", beta1);
      checkDecay("beta2", beta2);
      checkEpsilon(epsilon);
    }

    @Override
    public UpdateRule rule() {
      return new UpdateRule.Adam((float) beta1, (float) beta2, (float) epsilon, true);
    }

    @Override
    public UpdaterSpec withLearningRate(double rate) {
      return new AmsGrad(rate, beta1, beta2, epsilon);
    }

    @Override
    public String title() {
      return "amsgrad";
    }

    @Override
    public IUpdater toDeeplearning4j() {
      return new AMSGrad(learningRate, beta1, beta2, epsilon);
    }
  }

  /**
   * RMSProp: gradients divided by the root of the mean of their squares (Tieleman and Hinton,
   * 2012).
   */
  record RmsProp(double learningRate, double decay, double epsilon) implements UpdaterSpec {
    public RmsProp {
      checkLearningRate(learningRate);
      checkDecay("rmsDecay", decay);
      checkEpsilon(epsilon);
    }

    @Override
    public UpdateRule rule() {
      return new UpdateRule.RmsProp((float) decay, (float) epsilon);
    }

    @Override
    public UpdaterSpec withLearningRate(double rate) {
      return new RmsProp(rate, decay, epsilon);
    }

    @Override
    public String title() {
      return "rmsprop";
    }

    @Override
    public float initialState() {
      return (float) epsilon;
    }

    @Override
    public IUpdater toDeeplearning4j() {
      return new org.nd4j.linalg.learning.config.RmsProp(learningRate, decay, epsilon);
    }
  }

  /** Returns a number in plain decimal notation: 0.0001 rather than 1.0E-4. */
  static String plain(double value) {
    return Double.isFinite(value)
        ? new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString()
        : Double.toString(value);
  }

  private static void checkLearningRate(double learningRate) {
    if (!(learningRate > 0) || Double.isInfinite(learningRate)) {
      throw new IllegalArgumentException(
          "learning rate " + learningRate + ": must be a finite number above 0");
    }
  }

  private static void checkDecay(String name, double decay) {
    if (!(decay >= 0 && decay < 1)) {
      throw new IllegalArgumentException(
          name + " " + decay + ": must be 0 or more, and less than 1");
    }
  }

  private static void checkEpsilon(double epsilon) {
    if (!(epsilon > 0)) {
      throw new IllegalArgumentException("epsilon " + epsilon + ": must be more than 0");
    }
  }
}
