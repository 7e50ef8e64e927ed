package dev.braid.learner;

import java.io.Serializable;
import java.math.BigDecimal;
import java.util.OptionalDouble;
import org.nd4j.linalg.learning.config.IUpdater;
import org.nd4j.linalg.learning.config.Nesterovs;

/**
 * An optimiser and its settings. Each means what Deeplearning4j means by it, so that a saved model
 * goes on there, and a model from there goes on here.
 *
 * <p>Learning rates apply to the mean gradient of a step's samples, not to their sum.
 */
public sealed interface UpdaterSpec extends Serializable {

  double learningRate();

  /** The same with another learning rate. */
  UpdaterSpec withLearningRate(double rate);

  /** The optimiser itself, with one learning rate. */
  default Updater create() {
    return create(LearningRateSchedule.CONSTANT);
  }

  /** The optimiser itself, with a learning rate that changes. */
  Updater create(LearningRateSchedule schedule);

  /** Its name on the command line. */
  String title();

  /** Its settings, for people. */
  default String describe() {
    return title() + ", learning rate " + plain(learningRate());
  }

  /** The same optimiser, as Deeplearning4j's configuration names it. */
  IUpdater toDeeplearning4j();

  /**
   * An optimiser by its name on the command line.
   *
   * @param name {@code sgd}, {@code momentum} or {@code adam}
   * @param learningRate the learning rate; 0.1, 0.01 and 0.001 where it is not given. Momentum of
   *     0.9 makes a step ten times as long in the end, hence the second; the third is Adam's usual.
   */
  static UpdaterSpec of(String name, OptionalDouble learningRate) {
    return switch (name) {
      case "sgd" -> new Sgd(learningRate.orElse(0.1));
      case "momentum" ->
          new Momentum(learningRate.orElse(0.01), Nesterovs.DEFAULT_NESTEROV_MOMENTUM);
      case "adam" -> new Adam(learningRate.orElse(0.001), 0.9, 0.999, 1e-8);
      default ->
          throw new IllegalArgumentException(
              "updater " + name + ": sgd, momentum or adam is needed");
    };
  }

  /** Plain gradient descent: {@code w -= learningRate * g}. */
  record Sgd(double learningRate) implements UpdaterSpec {
    public Sgd {
      checkLearningRate(learningRate);
    }

    @Override
    public Updater create(LearningRateSchedule schedule) {
      return new Updaters.Sgd(this, schedule);
    }

    @Override
    public UpdaterSpec withLearningRate(double rate) {
      return new Sgd(rate);
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

  /** Nesterov's accelerated gradient: a velocity that keeps {@code momentum} of itself a step. */
  record Momentum(double learningRate, double momentum) implements UpdaterSpec {
    public Momentum {
      checkLearningRate(learningRate);
      checkDecay("momentum", momentum);
    }

    @Override
    public Updater create(LearningRateSchedule schedule) {
      return new Updaters.Momentum(this, schedule);
    }

    @Override
    public UpdaterSpec withLearningRate(double rate) {
      return new Momentum(rate, momentum);
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
      if (!(epsilon > 0)) {
        throw new IllegalArgumentException("epsilon " + epsilon + ": more than 0 is needed");
      }
    }

    @Override
    public Updater create(LearningRateSchedule schedule) {
      return new Updaters.Adam(this, schedule);
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

  /** A number as people write it: 0.0001 rather than 1.0E-4. */
  static String plain(double value) {
    return Double.isFinite(value)
        ? new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString()
        : Double.toString(value);
  }

  private static void checkLearningRate(double learningRate) {
    if (!(learningRate > 0) || Double.isInfinite(learningRate)) {
      throw new IllegalArgumentException(
          "learning rate " + learningRate + ": a finite number above 0 is needed");
    }
  }

  private static void checkDecay(String name, double decay) {
    if (!(decay >= 0 && decay < 1)) {
      throw new IllegalArgumentException(
          name + " " + decay + ": 0 or more, and less than 1, is needed");
    }
  }
}
