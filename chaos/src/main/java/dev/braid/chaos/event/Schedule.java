package dev.braid.chaos.event;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * A random schedule of faults, which all end: for the evaluation of an exchange on Flink, and for
 * the test suites in the simulator.
 *
 * @param seed seed of the faults and their times
 * @param ranks number of ranks, at least 2
 * @param perSecond mean number of faults that begin in a second: a Poisson process
 * @param durationMillis time in which faults begin, in ms
 * @param faultMillis mean duration of a fault in ms: between half and one and a half times this
 * @param faults faults to draw from
 */
public record Schedule(
    long seed, int ranks, double perSecond, long durationMillis, long faultMillis, Faults faults) {

  private static final double MILLIS_PER_SECOND = 1000;

  /** Faults that are drawn. */
  public enum Faults {
    /**
     * Cuts of links of the binary tree, in both directions, as in the evaluation of the
     * fault-tolerant tree. With three ranks or more, every rank keeps a path to every other over
     * the backup tree.
     */
    CUTS,
    /**
     * All faults, on links of the backup tree, of which at most one at a time is cut, in both
     * directions.
     */
    ONE_CUT,
    /**
     * All faults, on links of the backup tree, of which some are cut, in one direction or both, as
     * long as every rank has a path to every other.
     */
    PATH_LEFT,
    /** All faults, on links between any two ranks, whatever is cut. */
    ANY;

    /** Returns the name on the command line. */
    public String title() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  public Schedule {
    if (ranks < 2 || !(perSecond > 0) || durationMillis < 1 || faultMillis < 1) {
      throw new IllegalArgumentException(
          ("%d ranks, %s faults per second for %d ms each in %d ms: must be at least 2 ranks, and "
                  + "other values above 0")
              .formatted(ranks, perSecond, faultMillis, durationMillis));
    }
  }

  /**
   * Returns the events in the order of their start, which is a time after the start of training.
   */
  public List<ChaosEvent> events() {
    SplittableRandom random = new SplittableRandom(seed);
    FaultDraw draw = new FaultDraw(faults, ranks, random);
    List<ChaosEvent> events = new ArrayList<>();
    for (double at = interval(random); at < durationMillis; at += interval(random)) {
      long begin = (long) at;
      long lasts = Math.max(1, Math.round(faultMillis * (0.5 + random.nextDouble())));
      draw.next(begin, begin + lasts)
          .map(event -> event.withStart(new Start.After(begin)).withDuration(lasts))
          .map(event -> event.withId("generated-" + seed + "/" + events.size()))
          .ifPresent(events::add);
    }
    return events;
  }

  /** Returns the time to the next fault, in ms. */
  private double interval(SplittableRandom random) {
    return -Math.log(1 - random.nextDouble()) / perSecond * MILLIS_PER_SECOND;
  }
}
