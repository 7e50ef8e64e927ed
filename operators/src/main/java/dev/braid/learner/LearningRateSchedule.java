package dev.braid.learner;

import java.io.Serializable;
import java.util.Locale;

/**
 * How the learning rate changes as training goes on: a pure function of the number of steps taken,
 * which a checkpoint has anyway. So a run that is restored goes on with the rate that it would have
 * had, and all ranks have the same. Powers and cosines come from {@link StrictMath}, which has the
 * same bits on every processor.
 *
 * <p>A schedule's text describes it for people, and differs where schedules do.
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

    @Override
    public String toString() {
      return "constant";
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
      check(by > 0 && Double.isFinite(by), "factor " + by + ": a finite number above 0 is needed");
    }

    @Override
    public double factor(long step) {
      long changes = step / every;
      return StrictMath.pow(by, (double) changes);
    }

    @Override
    public String toString() {
      return String.format(Locale.ROOT, "times %s every %,d steps", UpdaterSpec.plain(by), every);
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
      check(end >= 0 && end <= 1, "end " + end + ": 0 to 1 is needed");
    }

    @Override
    public double factor(long step) {
      double way = Math.min(1, (double) step / over);
      return end + (1 - end) * 0.5 * (1 + StrictMath.cos(StrictMath.PI * way));
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT, "cosine to %s over %,d steps", UpdaterSpec.plain(end), over);
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

    @Override
    public String toString() {
      return String.format(Locale.ROOT, "warm-up over %,d steps, then %s", steps, then);
    }
  }

  /**
   * A schedule of a model that has been trained before.
   *
   * @param steps how many steps it had taken when this run began
   */
  record After(long steps, LearningRateSchedule then) implements LearningRateSchedule {
    @Override
    public double factor(long step) {
      return then.factor(Math.max(0, step - steps));
    }

    @Override
    public String toString() {
      return String.format(Locale.ROOT, "from step %,d on %s", steps, then);
    }
  }

  private static void checkSteps(long steps) {
    check(steps >= 1, steps + " steps: 1 or more is needed");
  }

  private static void check(boolean met, String mistake) {
    if (!met) {
      throw new IllegalArgumentException(mistake);
    }
  }
}
