package dev.braid.learner.optimiser;

/**
 * The relation of the optimiser's steps to epochs. An epoch has more steps with fewer workers. A
 * run that resumes with another number of workers therefore measures its progress in epochs, not in
 * steps.
 *
 * @param stepsPerEpoch number of steps in an epoch, at least 1
 * @param firstStep number of steps that the optimiser had taken when this pace began
 * @param firstEpochs number of epochs of training before this pace began, including the fraction of
 *     an epoch
 */
public record Pace(long stepsPerEpoch, long firstStep, double firstEpochs) {

  /** Pace of a run that starts from the beginning and does not use epochs. */
  public static final Pace STEPS = new Pace(1, 0, 0);

  public Pace {
    if (stepsPerEpoch < 1 || !(firstEpochs >= 0 && Double.isFinite(firstEpochs))) {
      throw new IllegalArgumentException(
          stepsPerEpoch
              + " steps per epoch, first epoch "
              + firstEpochs
              + ": must be at least 1 and at least 0");
    }
  }

  /**
   * Returns the number of epochs after {@code step} steps, including the fraction of the current
   * epoch.
   */
  public double epochs(long step) {
    return Math.max(0, step - before()) / (double) stepsPerEpoch;
  }

  /** Converts a schedule to the steps that the optimiser counts. */
  LearningRateSchedule of(EpochSchedule schedule) {
    LearningRateSchedule inSteps = schedule.inSteps(stepsPerEpoch);
    return before() == 0 || inSteps.equals(LearningRateSchedule.CONSTANT)
        ? inSteps
        : new LearningRateSchedule.After(before(), inSteps);
  }

  /**
   * Returns the step at which the first epoch would have begun at this pace; negative if the
   * optimiser has taken fewer steps than that.
   */
  private long before() {
    return firstStep - Math.round(firstEpochs * stepsPerEpoch);
  }
}
