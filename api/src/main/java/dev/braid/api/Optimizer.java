package dev.braid.api;

import dev.braid.learner.optimiser.EpochSchedule;
import dev.braid.run.training.InvalidTrainingException;
import dev.braid.run.training.OptimiserChoice;
import dev.braid.run.training.UpdaterNames;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.flink.annotation.PublicEvolving;

/**
 * The rule by which gradients change the weights. Instances are immutable: each method returns a
 * new optimizer. Learning rates apply to the mean gradient of the samples of a round.
 */
@PublicEvolving
public final class Optimizer {

  private final Optional<String> updater;
  private final OptionalDouble rate;
  private final EpochSchedule.Shape schedule;
  private final double warmUpEpochs;
  private final OptionalDouble clipNorm;
  private final OptionalDouble clipValue;
  private final OptionalDouble weightDecay;

  private Optimizer(
      Optional<String> updater,
      OptionalDouble rate,
      EpochSchedule.Shape schedule,
      double warmUpEpochs,
      OptionalDouble clipNorm,
      OptionalDouble clipValue,
      OptionalDouble weightDecay) {
    this.updater = updater;
    this.rate = rate;
    this.schedule = schedule;
    this.warmUpEpochs = warmUpEpochs;
    this.clipNorm = clipNorm;
    this.clipValue = clipValue;
    this.weightDecay = weightDecay;
  }

  /** Returns the optimizer that the network's file specifies, or the default of a preset. */
  public static Optimizer ofNetwork() {
    OptionalDouble none = OptionalDouble.empty();
    return new Optimizer(Optional.empty(), none, new EpochSchedule.Constant(), 0, none, none, none);
  }

  /**
   * Returns the optimizer with a name.
   *
   * @param name {@code sgd}, {@code momentum}, {@code adam}, {@code amsgrad}, {@code rmsprop} or
   *     {@code adamw}
   * @param learningRate finite number above 0
   * @throws InvalidTrainingException if no optimizer has this name, or the learning rate is invalid
   */
  public static Optimizer named(String name, double learningRate) {
    if (!UpdaterNames.NAMES.contains(name)) {
      throw new InvalidTrainingException(
          "optimizer", name + ": must be one of " + String.join(", ", UpdaterNames.NAMES));
    }
    requirePositive("learning rate", learningRate);
    return new Optimizer(
        Optional.of(name),
        OptionalDouble.of(learningRate),
        new EpochSchedule.Constant(),
        0,
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        UpdaterNames.decay(name));
  }

  /** Returns stochastic gradient descent without momentum. */
  public static Optimizer sgd(double learningRate) {
    return named("sgd", learningRate);
  }

  /** Returns gradient descent with Nesterov's momentum of 0.9. */
  public static Optimizer momentum(double learningRate) {
    return named("momentum", learningRate);
  }

  /** Returns Adam (Kingma and Ba, 2015). */
  public static Optimizer adam(double learningRate) {
    return named("adam", learningRate);
  }

  /**
   * Returns an optimizer that multiplies the learning rate by a factor at regular intervals.
   *
   * @param epochs number of epochs, or of windows of a stream, in an interval; above 0
   * @param factor above 0
   */
  public Optimizer stepwise(double epochs, double factor) {
    requirePositive("epochs", epochs);
    requirePositive("factor", factor);
    return with(new EpochSchedule.Step(epochs, factor), warmUpEpochs);
  }

  /**
   * Returns an optimizer that lowers the learning rate over all epochs, along half a cosine, to a
   * share of it.
   *
   * @param end share of the learning rate at the end, from 0 to 1
   */
  public Optimizer cosine(double end) {
    if (!(end >= 0 && end <= 1)) {
      throw new InvalidTrainingException("cosine", end + ": must be from 0 to 1");
    }
    return with(new EpochSchedule.Cosine(end), warmUpEpochs);
  }

  /**
   * Returns an optimizer that first raises the learning rate linearly from 0.
   *
   * @param epochs number of epochs, or of windows of a stream, of the rise; above 0
   */
  public Optimizer warmUp(double epochs) {
    requirePositive("warm-up", epochs);
    return with(schedule, epochs);
  }

  private Optimizer with(EpochSchedule.Shape itsSchedule, double itsWarmUp) {
    return new Optimizer(updater, rate, itsSchedule, itsWarmUp, clipNorm, clipValue, weightDecay);
  }

  /**
   * Returns an optimizer that scales down mean gradients with a larger Euclidean norm.
   *
   * @param most largest norm, above 0
   */
  public Optimizer clipNorm(double most) {
    requirePositive("clip norm", most);
    return new Optimizer(
        updater,
        rate,
        schedule,
        warmUpEpochs,
        OptionalDouble.of(most),
        OptionalDouble.empty(),
        weightDecay);
  }

  /**
   * Returns an optimizer that limits each element of the mean gradient.
   *
   * @param most largest absolute value of an element, above 0
   */
  public Optimizer clipValue(double most) {
    requirePositive("clip value", most);
    return new Optimizer(
        updater,
        rate,
        schedule,
        warmUpEpochs,
        OptionalDouble.empty(),
        OptionalDouble.of(most),
        weightDecay);
  }

  /**
   * Returns an optimizer with weight decay.
   *
   * @param share fraction of each weight that a step subtracts, multiplied by the learning rate; 0
   *     or more
   */
  public Optimizer weightDecay(double share) {
    if (!(share >= 0) || Double.isInfinite(share)) {
      throw new InvalidTrainingException(
          "weight decay", share + ": must be a finite number, 0 or more");
    }
    return new Optimizer(
        updater, rate, schedule, warmUpEpochs, clipNorm, clipValue, OptionalDouble.of(share));
  }

  private static void requirePositive(String name, double value) {
    if (!(value > 0) || Double.isInfinite(value)) {
      throw new InvalidTrainingException(name, value + ": must be a finite number above 0");
    }
  }

  OptimiserChoice choice(String model, int epochs) {
    return new OptimiserChoice(
        model,
        updater,
        rate,
        new EpochSchedule(schedule, warmUpEpochs, epochs),
        clipNorm,
        clipValue,
        weightDecay);
  }
}
