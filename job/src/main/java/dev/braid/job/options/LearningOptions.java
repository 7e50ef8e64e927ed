package dev.braid.job.options;

import dev.braid.job.console.Typed;
import dev.braid.learner.optimiser.EpochSchedule;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * What a user can ask of learning beside the updater and its rate.
 *
 * @param schedule what becomes of the learning rate
 * @param warmUpEpochs over how many epochs it first goes up; 0 for none
 * @param clipNorm how long a mean gradient may be at most
 * @param clipValue how large its elements may be at most
 * @param weightDecay by which share of themselves weights decay, at a learning rate of 1
 * @param patience after how many epochs without a better test accuracy, or of values a lower test
 *     loss, training stops
 * @param targetLoss the test loss that is low enough
 * @param classWeights how often samples of each class count: none, balanced or {@code LABEL=W,…};
 *     not given: as the model has it
 * @param validation the share of the training samples that is held out to compare epochs by; none
 *     given: what is usual for the data
 * @param trueModel a file with the parameters that errors of parameters are held against
 */
public record LearningOptions(
    EpochSchedule.Shape schedule,
    double warmUpEpochs,
    OptionalDouble clipNorm,
    OptionalDouble clipValue,
    OptionalDouble weightDecay,
    OptionalInt patience,
    OptionalDouble targetLoss,
    Optional<String> classWeights,
    OptionalDouble validation,
    Optional<String> trueModel) {

  /** Nothing of it. */
  public static final LearningOptions NONE =
      new LearningOptions(
          new EpochSchedule.Constant(),
          0,
          OptionalDouble.empty(),
          OptionalDouble.empty(),
          OptionalDouble.empty(),
          OptionalInt.empty(),
          OptionalDouble.empty(),
          Optional.empty(),
          OptionalDouble.empty(),
          Optional.empty());

  /**
   * What becomes of the learning rate.
   *
   * @param epochs how many there are at most
   */
  public EpochSchedule schedule(int epochs) {
    return new EpochSchedule(schedule, warmUpEpochs, epochs);
  }

  /** Adds those that were given, by their names on the command line. */
  void put(Map<String, Object> json) {
    if (!(schedule instanceof EpochSchedule.Constant)) {
      json.put("schedule", schedule.toString());
    }
    if (warmUpEpochs > 0) {
      json.put("warm-up", warmUpEpochs);
    }
    clipNorm.ifPresent(value -> json.put("clip", "norm:" + Typed.number(value)));
    clipValue.ifPresent(value -> json.put("clip", "value:" + Typed.number(value)));
    weightDecay.ifPresent(value -> json.put("weight-decay", value));
    patience.ifPresent(value -> json.put("patience", value));
    targetLoss.ifPresent(value -> json.put("target-loss", value));
    classWeights.ifPresent(value -> json.put("class-weights", value));
    trueModel.ifPresent(value -> json.put("true-model", value));
  }
}
