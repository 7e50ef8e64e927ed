package dev.braid.learner.optimiser;

import java.io.Serializable;

/**
 * An {@link EpochSchedule} at a {@link Pace}: a pure function of the number of steps taken, which
 * every checkpoint contains. A restored run therefore resumes with the rate that it would have had,
 * and all ranks have the same rate. Powers and cosines come from {@link StrictMath}, which returns
 * the same bits on every processor.
 */
public sealed interface LearningRateSchedule extends Serializable {

  /** A constant learning rate. */
  LearningRateSchedule CONSTANT = new Constant();

  /**
   * Returns the factor by which the learning rate is multiplied.
   *
   * @param step number of steps taken before
   */
  double factor(long step);

  /** A constant rate; see {@link #CONSTANT}. */
  record Constant() implements LearningRateSchedule {
    @Override
    public double factor(long step) {
      return 1;
    }
  }

  /**
   * A rate that is multiplied by a factor every {@code every} steps.
   *
   * @param every number of steps between two changes
   * @param by the factor, above 0; usually below 1
   */
  record Stepwise(long every, double by) implements LearningRateSchedule {
    public Stepwise {
      checkSteps(every);
      check(by > 0 && Double.isFinite(by), "factor " + by + ": must be a finite number above 0");
    }

    @Override
    public double factor(long step) {
      long changes = step / every;
      return StrictMath.pow(by, (double) changes);
    }
  }

  /**
   * A rate that falls along half a cosine from 1 to an end, where it stays (Loshchilov and Hutter,
   * "SGDR", 2017, without restarts).
   *
   * @param over number of steps from 1 to the end
   * @param end the last factor, from 0 to 1
   */
  record Cosine(long over, double end) implements LearningRateSchedule {
    public Cosine {
      checkSteps(over);
      check(end >= 0 && end <= 1, "end " + end + ": must be 0 to 1");
    }

    @Override
    public double factor(long step) {
      double way = Math.min(1, (double) step / over);
      return end + (1 - end) * 0.5 * (1 + StrictMath.cos(StrictMath.PI * way));
    }
  }

  /**
   * A rate that rises to the full rate in equal parts, and then follows another schedule from its
   * beginning.
   *
   * @param steps number of steps of the warm-up; the last of them has the full rate
   */
  record WarmUp(long steps, LearningRateSchedule then) implements LearningRateSchedule {
    public WarmUp {
      checkSteps(steps);
    }

    @Override
    public double factor(long step) {
      return step < steps ? (step + 1.0) / steps : then.factor(step - steps);
    }
  }

  /**
   * A schedule that does not begin at step 0, because the model was trained before this run, or at
   * another pace.
   *
   * @param steps step at which the schedule begins; negative if training is further advanced in
   *     epochs than the number of steps suggests
   */
  record After(long steps, LearningRateSchedule then) implements LearningRateSchedule {
    @Override
    public double factor(long step) {
      return then.factor(Math.max(0, step - steps));
    }
  }

  private static void checkSteps(long steps) {
    check(steps >= 1, steps + " steps: must be 1 or more");
  }

  private static void check(boolean met, String mistake) {
    if (!met) {
      throw new IllegalArgumentException(mistake);
    }
  }
}
