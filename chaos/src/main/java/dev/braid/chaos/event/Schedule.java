package dev.braid.chaos.event;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * A random schedule of faults, which all end: for the evaluation of an exchange on Flink, and for
 * the test suites in the simulator.
 *
 * @param seed decides which and when
 * @param ranks how many there are, two at least
 * @param perSecond how many faults begin in a second, on average: a Poisson process
 * @param durationMillis from the first moment to the last in which a fault begins
 * @param faultMillis how long a fault lasts, on average: between half and one and a half times
 * @param faults which
 */
public record Schedule(
    long seed, int ranks, double perSecond, long durationMillis, long faultMillis, Faults faults) {

  private static final double MILLIS_PER_SECOND = 1000;

  /** Which faults are drawn. */
  public enum Faults {
    /**
     * Links of the binary tree are cut, both ways, as in the evaluation of the fault-tolerant tree;
     * from three ranks on, so that every rank has a way to every other over the backup tree.
     */
    CUTS,
    /** Any, on links of the backup tree, of which one at a time is cut, both ways. */
    ONE_CUT,
    /**
     * Any, on links of the backup tree, of which some are cut, one way or both, as long as every
     * rank has a way to every other.
     */
    PATH_LEFT,
    /** Any, on links between any two ranks, whatever is cut. */
    ANY;

    /** As the command line has it. */
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

  /** The events, in the order of their start, which is a time after the start of training. */
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

  /** Milliseconds to the next fault. */
  private double interval(SplittableRandom random) {
    return -Math.log(1 - random.nextDouble()) / perSecond * MILLIS_PER_SECOND;
  }
}
