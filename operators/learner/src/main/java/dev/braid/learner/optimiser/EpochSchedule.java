package dev.braid.learner.optimiser;

import java.io.Serializable;

/**
 * A learning-rate schedule in epochs, as the user configures it, independent of the number of
 * workers. {@code toString} describes it for people, and differs for different schedules.
 *
 * @param shape course of the rate after the warm-up
 * @param warmUpEpochs number of epochs over which the rate first rises; 0 for none
 * @param epochs highest number of epochs
 */
public record EpochSchedule(Shape shape, double warmUpEpochs, int epochs) implements Serializable {

  /** A constant learning rate. */
  public static final EpochSchedule CONSTANT = new EpochSchedule(new Constant(), 0, 1);

  /**
   * Course of the rate after the warm-up; {@link #toString()} returns it in the form that users
   * type.
   */
  public sealed interface Shape extends Serializable {}

  /** A constant rate. */
  public record Constant() implements Shape {
    @Override
    public String toString() {
      return "constant";
    }
  }

  /** A rate that is multiplied by a factor every {@code epochs} epochs. */
  public record Step(double epochs, double factor) implements Shape {
    @Override
    public String toString() {
      return "step:" + epochs + ":" + factor;
    }
  }

  /**
   * A rate that falls along half a cosine over all epochs, to the share {@code end} of the initial
   * rate.
   */
  public record Cosine(double end) implements Shape {
    @Override
    public String toString() {
      return "cosine:" + end;
    }
  }

  /** Returns whether the rate is constant. */
  public boolean isConstant() {
    return shape instanceof Constant && warmUpEpochs == 0;
  }

  /**
   * Converts the schedule to steps, counted from the first step of the first epoch.
   *
   * @param stepsPerEpoch number of steps in an epoch, at least 1
   */
  public LearningRateSchedule inSteps(long stepsPerEpoch) {
    long warmUp = Math.min(stepsPerEpoch * epochs, Math.round(warmUpEpochs * stepsPerEpoch));
    LearningRateSchedule inSteps = afterWarmUp(stepsPerEpoch, stepsPerEpoch * epochs - warmUp);
    return warmUp > 0 ? new LearningRateSchedule.WarmUp(warmUp, inSteps) : inSteps;
  }

  private LearningRateSchedule afterWarmUp(long stepsPerEpoch, long stepsLeft) {
    if (shape instanceof Step step) {
      return new LearningRateSchedule.Stepwise(
          Math.max(1, Math.round(step.epochs() * stepsPerEpoch)), step.factor());
    }
    return shape instanceof Cosine cosine
        ? new LearningRateSchedule.Cosine(Math.max(1, stepsLeft), cosine.end())
        : LearningRateSchedule.CONSTANT;
  }

  @Override
  public String toString() {
    return warmUpEpochs > 0
        ? "warm-up over " + epochs(warmUpEpochs) + ", then " + words()
        : words();
  }

  private String words() {
    if (shape instanceof Step step) {
      return "times " + UpdaterSpec.plain(step.factor()) + " every " + epochs(step.epochs());
    }
    return shape instanceof Cosine cosine
        ? "cosine to " + UpdaterSpec.plain(cosine.end()) + " until the end of epoch " + epochs
        : shape.toString();
  }

  private static String epochs(double count) {
    return UpdaterSpec.plain(count) + (count == 1 ? " epoch" : " epochs");
  }
}
