package dev.braid.job.options;

import dev.braid.job.console.Typed;
import dev.braid.learner.optimiser.EpochSchedule;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * Options of learning other than the updater and its rate.
 *
 * @param schedule the learning rate's schedule
 * @param clip limits of gradients
 * @param weightDecay fraction of each weight that a step subtracts, at a learning rate of 1
 * @param patience number of epochs without a better test accuracy, or with regression a lower test
 *     loss, after which training stops
 * @param targetLoss test loss at which training stops
 * @param classWeights weights of samples by class: none, balanced or {@code LABEL=W,…}; empty for
 *     the model's own
 * @param validation share of the training samples to hold out for comparing epochs; empty for the
 *     default of the data
 * @param trueModel file with the true parameters of a regression, for its error rates
 */
public record LearningOptions(
    Schedule schedule,
    Clip clip,
    OptionalDouble weightDecay,
    OptionalInt patience,
    OptionalDouble targetLoss,
    Optional<String> classWeights,
    OptionalDouble validation,
    Optional<String> trueModel) {

  /**
   * The learning rate's schedule.
   *
   * @param shape how the learning rate changes
   * @param warmUpEpochs number of epochs in which the learning rate first rises; 0 for none
   */
  public record Schedule(EpochSchedule.Shape shape, double warmUpEpochs) {}

  /**
   * Limits of gradients.
   *
   * @param norm maximum Euclidean norm of a mean gradient
   * @param value maximum absolute value of a gradient's elements
   */
  public record Clip(OptionalDouble norm, OptionalDouble value) {}

  /** Options with their defaults. */
  public static final LearningOptions NONE =
      new LearningOptions(
          new Schedule(new EpochSchedule.Constant(), 0),
          new Clip(OptionalDouble.empty(), OptionalDouble.empty()),
          OptionalDouble.empty(),
          OptionalInt.empty(),
          OptionalDouble.empty(),
          Optional.empty(),
          OptionalDouble.empty(),
          Optional.empty());

  /**
   * Returns the schedule of the learning rate.
   *
   * @param epochs maximum number of epochs
   */
  public EpochSchedule schedule(int epochs) {
    return new EpochSchedule(schedule.shape(), schedule.warmUpEpochs(), epochs);
  }

  /** Adds the options that were given, by their names on the command line. */
  void put(Map<String, Object> json) {
    if (!(schedule.shape() instanceof EpochSchedule.Constant)) {
      json.put("schedule", schedule.shape().toString());
    }
    if (schedule.warmUpEpochs() > 0) {
      json.put("warm-up", schedule.warmUpEpochs());
    }
    clip.norm().ifPresent(value -> json.put("clip", "norm:" + Typed.number(value)));
    clip.value().ifPresent(value -> json.put("clip", "value:" + Typed.number(value)));
    weightDecay.ifPresent(value -> json.put("weight-decay", value));
    patience.ifPresent(value -> json.put("patience", value));
    targetLoss.ifPresent(value -> json.put("target-loss", value));
    classWeights.ifPresent(value -> json.put("class-weights", value));
    trueModel.ifPresent(value -> json.put("true-model", value));
  }
}
