package dev.braid.learner.optimiser;

/**
 * How steps of the optimiser go into epochs. An epoch has more of them where there are fewer
 * workers: so a run that goes on with others than before knows by epochs, and not by steps, how far
 * it is.
 *
 * @param stepsPerEpoch how many steps an epoch has, at least 1
 * @param firstStep how many steps the optimiser had taken when it began to go at this pace
 * @param firstEpochs how many epochs training had behind it then, and what part of the next
 */
public record Pace(long stepsPerEpoch, long firstStep, double firstEpochs) {

  /** Of a run that begins, and of which nobody asks about epochs. */
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

  /** How many epochs are over when so many steps have been taken, and what part of the next. */
  public double epochs(long step) {
    return Math.max(0, step - before()) / (double) stepsPerEpoch;
  }

  /** A schedule by the steps that the optimiser counts. */
  LearningRateSchedule of(EpochSchedule schedule) {
    LearningRateSchedule inSteps = schedule.inSteps(stepsPerEpoch);
    return before() == 0 || inSteps.equals(LearningRateSchedule.CONSTANT)
        ? inSteps
        : new LearningRateSchedule.After(before(), inSteps);
  }

  /**
   * The step at which the first epoch would have begun at this pace; below 0 where the optimiser
   * has taken fewer steps than that.
   */
  private long before() {
    return firstStep - Math.round(firstEpochs * stepsPerEpoch);
  }
}
