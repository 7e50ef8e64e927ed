package dev.braid.job;

import dev.braid.learner.Clipping;
import dev.braid.learner.LearningRateSchedule;
import java.util.Map;
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
 * @param patience after how many epochs without a better test accuracy training stops
 */
record LearningOptions(
    Schedule schedule,
    double warmUpEpochs,
    OptionalDouble clipNorm,
    OptionalDouble clipValue,
    OptionalDouble weightDecay,
    OptionalInt patience) {

  /** Nothing of it. */
  static final LearningOptions NONE =
      new LearningOptions(
          new Schedule.Constant(),
          0,
          OptionalDouble.empty(),
          OptionalDouble.empty(),
          OptionalDouble.empty(),
          OptionalInt.empty());

  /** A schedule as users know it, in epochs; {@link #toString()} is what they type. */
  sealed interface Schedule {

    /** The same rate all the time. */
    record Constant() implements Schedule {
      @Override
      public String toString() {
        return "constant";
      }
    }

    /** Multiplied by a factor every so many epochs. */
    record Step(double epochs, double factor) implements Schedule {
      @Override
      public String toString() {
        return "step:" + epochs + ":" + factor;
      }
    }

    /** Half a cosine over all epochs, to this share of the rate. */
    record Cosine(double end) implements Schedule {
      @Override
      public String toString() {
        return "cosine:" + end;
      }
    }
  }

  /**
   * The schedule in steps.
   *
   * @param stepsPerEpoch how many steps an epoch has, at least 1
   * @param epochs how many there are at most
   * @param firstStep how many steps the optimiser has taken before the first epoch
   */
  LearningRateSchedule schedule(long stepsPerEpoch, int epochs, long firstStep) {
    long warmUp = Math.min(stepsPerEpoch * epochs, Math.round(warmUpEpochs * stepsPerEpoch));
    LearningRateSchedule inSteps = afterWarmUp(stepsPerEpoch, stepsPerEpoch * epochs - warmUp);
    if (warmUp > 0) {
      inSteps = new LearningRateSchedule.WarmUp(warmUp, inSteps);
    }
    boolean isConstant = inSteps.equals(LearningRateSchedule.CONSTANT);
    return firstStep == 0 || isConstant
        ? inSteps
        : new LearningRateSchedule.After(firstStep, inSteps);
  }

  private LearningRateSchedule afterWarmUp(long stepsPerEpoch, long stepsLeft) {
    if (schedule instanceof Schedule.Step step) {
      return new LearningRateSchedule.Stepwise(
          Math.max(1, Math.round(step.epochs() * stepsPerEpoch)), step.factor());
    }
    return schedule instanceof Schedule.Cosine cosine
        ? new LearningRateSchedule.Cosine(Math.max(1, stepsLeft), cosine.end())
        : LearningRateSchedule.CONSTANT;
  }

  /**
   * What becomes of large gradients.
   *
   * @param batchOfEach samples of a full gradient, where those of each worker are applied one by
   *     one; else 0
   */
  Clipping clipping(int batchOfEach) {
    if (clipNorm.isPresent()) {
      return new Clipping.ByNorm(clipNorm.getAsDouble());
    }
    return clipValue.isPresent()
        ? new Clipping.ByValue(clipValue.getAsDouble(), batchOfEach)
        : Clipping.NONE;
  }

  /** Adds those that were given, by their names on the command line. */
  void put(Map<String, Object> json) {
    if (!(schedule instanceof Schedule.Constant)) {
      json.put("schedule", schedule.toString());
    }
    if (warmUpEpochs > 0) {
      json.put("warm-up", warmUpEpochs);
    }
    clipNorm.ifPresent(value -> json.put("clip-norm", value));
    clipValue.ifPresent(value -> json.put("clip-value", value));
    weightDecay.ifPresent(value -> json.put("weight-decay", value));
    patience.ifPresent(value -> json.put("patience", value));
  }
}
