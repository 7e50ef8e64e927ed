package dev.braid.learner;

import java.io.Serializable;
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

  /** The optimiser itself. */
  Updater create();

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
    public Updater create() {
      return new Updaters.Sgd(this);
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
    public Updater create() {
      return new Updaters.Momentum(this);
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
    public Updater create() {
      return new Updaters.Adam(this);
    }

    @Override
    public IUpdater toDeeplearning4j() {
      return new org.nd4j.linalg.learning.config.Adam(learningRate, beta1, beta2, epsilon);
    }
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
