package dev.braid.learner.optimiser;

import java.io.Serializable;

/**
 * An {@link EpochSchedule} at a {@link Pace}: a pure function of the number of steps taken, which a
 * checkpoint has anyway. So a run that is restored goes on with the rate that it would have had,
 * and all ranks have the same. Powers and cosines come from {@link StrictMath}, which has the same
 * bits on every processor.
 */
public sealed interface LearningRateSchedule extends Serializable {

  /** The same rate all the time. */
  LearningRateSchedule CONSTANT = new Constant();

  /**
   * What the learning rate is multiplied by.
   *
   * @param step how many steps have been taken before
   */
  double factor(long step);

  /** See {@link #CONSTANT}. */
  record Constant() implements LearningRateSchedule {
    @Override
    public double factor(long step) {
      return 1;
    }
  }

  /**
   * Multiplied by a factor every so many steps.
   *
   * @param every steps between two changes
   * @param by the factor; between 0 and 1, as a rule
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
   * Along half a cosine from 1 to an end, where it stays (Loshchilov and Hutter, "SGDR", 2017,
   * without restarts).
   *
   * @param over how many steps that takes
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
   * Up to the full rate in equal parts, and then another schedule, from its beginning.
   *
   * @param steps that the warm-up takes; the last of them is at the full rate
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
   * A schedule that does not begin with the first step: the model had been trained before this run,
   * or went at another pace.
   *
   * @param steps at which it begins; below 0 where it is further than the steps tell
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
