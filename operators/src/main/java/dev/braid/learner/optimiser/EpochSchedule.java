package dev.braid.learner.optimiser;

import java.io.Serializable;

/**
 * How the learning rate changes as training goes on, in epochs: what a user asks for, however many
 * workers there are. A schedule's text describes it for people, and differs where schedules do.
 *
 * @param shape what the rate does when it is up
 * @param warmUpEpochs over how many epochs it first goes up; 0 for none
 * @param epochs how many there are at most
 */
public record EpochSchedule(Shape shape, double warmUpEpochs, int epochs) implements Serializable {

  /** The same rate all the time. */
  public static final EpochSchedule CONSTANT = new EpochSchedule(new Constant(), 0, 1);

  /** What the rate does; {@link #toString()} is what users type. */
  public sealed interface Shape extends Serializable {}

  /** It stays as it is. */
  public record Constant() implements Shape {
    @Override
    public String toString() {
      return "constant";
    }
  }

  /** It is multiplied by a factor every so many epochs. */
  public record Step(double epochs, double factor) implements Shape {
    @Override
    public String toString() {
      return "step:" + epochs + ":" + factor;
    }
  }

  /** Half a cosine over all epochs, to this share of the rate. */
  public record Cosine(double end) implements Shape {
    @Override
    public String toString() {
      return "cosine:" + end;
    }
  }

  /** Whether the rate is the same all the time. */
  public boolean isConstant() {
    return shape instanceof Constant && warmUpEpochs == 0;
  }

  /**
   * The schedule in steps, from the first epoch's first on.
   *
   * @param stepsPerEpoch how many steps an epoch has, at least 1
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
