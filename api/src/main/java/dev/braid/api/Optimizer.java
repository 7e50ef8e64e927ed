package dev.braid.api;

import dev.braid.learner.optimiser.EpochSchedule;
import dev.braid.run.training.InvalidTrainingException;
import dev.braid.run.training.OptimiserChoice;
import dev.braid.run.training.UpdaterNames;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.flink.annotation.PublicEvolving;

/**
 * How the weights follow the gradient. Each method returns another optimizer and leaves this one as
 * it is. Learning rates apply to the mean gradient of the samples of a round.
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

  /** Returns the optimizer that the network brings with it. */
  public static Optimizer ofNetwork() {
    OptionalDouble none = OptionalDouble.empty();
    return new Optimizer(Optional.empty(), none, new EpochSchedule.Constant(), 0, none, none, none);
  }

  /**
   * Returns an optimizer by its name.
   *
   * @param name {@code sgd}, {@code momentum}, {@code adam}, {@code amsgrad}, {@code rmsprop} or
   *     {@code adamw}
   * @param learningRate a finite number above 0
   * @throws InvalidTrainingException if there is none of that name, or the rate is impossible
   */
  public static Optimizer named(String name, double learningRate) {
    if (!UpdaterNames.NAMES.contains(name)) {
      throw new InvalidTrainingException(
          "optimizer", name + ": one of " + String.join(", ", UpdaterNames.NAMES) + " is needed");
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

  /** Returns plain gradient descent. */
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
   * Multiplies the learning rate by a factor every so many epochs, or windows of a stream.
   *
   * @param epochs above 0
   * @param factor above 0
   */
  public Optimizer stepwise(double epochs, double factor) {
    requirePositive("epochs", epochs);
    requirePositive("factor", factor);
    return with(new EpochSchedule.Step(epochs, factor), warmUpEpochs);
  }

  /** Lowers the learning rate over all epochs, along half a cosine, to a share of it. */
  public Optimizer cosine(double end) {
    if (!(end >= 0 && end <= 1)) {
      throw new InvalidTrainingException("cosine", end + ": 0 to 1 is needed");
    }
    return with(new EpochSchedule.Cosine(end), warmUpEpochs);
  }

  /** Raises the learning rate from 0 over so many epochs first. */
  public Optimizer warmUp(double epochs) {
    requirePositive("warm-up", epochs);
    return with(schedule, epochs);
  }

  private Optimizer with(EpochSchedule.Shape itsSchedule, double itsWarmUp) {
    return new Optimizer(updater, rate, itsSchedule, itsWarmUp, clipNorm, clipValue, weightDecay);
  }

  /** Shortens mean gradients that are longer. */
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

  /** Bounds each element of the mean gradient. */
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

  /** Has weights decay by a share of themselves, at a learning rate of 1. */
  public Optimizer weightDecay(double share) {
    if (!(share >= 0) || Double.isInfinite(share)) {
      throw new InvalidTrainingException(
          "weight decay", share + ": a finite number from 0 on is needed");
    }
    return new Optimizer(
        updater, rate, schedule, warmUpEpochs, clipNorm, clipValue, OptionalDouble.of(share));
  }

  private static void requirePositive(String name, double value) {
    if (!(value > 0) || Double.isInfinite(value)) {
      throw new InvalidTrainingException(name, value + ": a finite number above 0 is needed");
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
