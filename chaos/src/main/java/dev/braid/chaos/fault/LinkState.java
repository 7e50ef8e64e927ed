package dev.braid.chaos.fault;

import dev.braid.chaos.event.Action;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** One direction of a link: the faults in force, its queue, and its random source. */
final class LinkState {

  private static final double NANOS_PER_SECOND = 1e9;

  private final SplittableRandom random;
  private final List<Action> faults = new ArrayList<>();
  private boolean cut;
  private double bytesPerSecond = Double.POSITIVE_INFINITY;
  private long busyUntilNanos = Long.MIN_VALUE;
  private long lastArrivalNanos = Long.MIN_VALUE;

  LinkState(SplittableRandom random) {
    this.random = random;
  }

  void clear() {
    faults.clear();
    cut = false;
    bytesPerSecond = Double.POSITIVE_INFINITY;
  }

  void add(Action action) {
    if (action instanceof Action.Cut || action instanceof Action.Isolate) {
      cut = true;
    } else if (action instanceof Action.Throttle throttle) {
      bytesPerSecond = Math.min(bytesPerSecond, (double) throttle.bytesPerSecond());
    } else {
      faults.add(action);
    }
  }

  /** Carries a message as {@link FaultPlan#carry} says. */
  void carry(long bytes, long nowNanos, Arrivals arrivals) {
    if (cut) {
      return;
    }
    long delayNanos = 0;
    long heldBackNanos = 0;
    boolean corrupt = false;
    boolean twice = false;
    for (Action fault : faults) {
      if (fault instanceof Action.Drop drop) {
        if (happens(drop.probability())) {
          return;
        }
      } else if (fault instanceof Action.Delay delay) {
        delayNanos += delay.delayMillis() * FaultPlan.NANOS_PER_MILLI + upTo(delay.jitterMillis());
      } else if (fault instanceof Action.Reorder reorder) {
        heldBackNanos += happens(reorder.probability()) ? upTo(reorder.withinMillis()) : 0;
      } else if (fault instanceof Action.Corrupt flip) {
        corrupt |= happens(flip.probability());
      } else if (fault instanceof Action.Duplicate duplicate) {
        twice |= happens(duplicate.probability());
      }
    }
    // What is late because of a fault that is over still keeps later messages behind it.
    lastArrivalNanos = Math.max(lastArrivalNanos, sentNanos(bytes, nowNanos) + delayNanos);
    arrivals.arrive(lastArrivalNanos + heldBackNanos, corrupt);
    if (twice) {
      arrivals.arrive(lastArrivalNanos, corrupt);
    }
  }

  private long sentNanos(long bytes, long nowNanos) {
    if (Double.isInfinite(bytesPerSecond)) {
      return nowNanos;
    }
    long sendingNanos = Math.round(bytes / bytesPerSecond * NANOS_PER_SECOND);
    busyUntilNanos = Math.max(nowNanos, busyUntilNanos) + sendingNanos;
    return busyUntilNanos;
  }

  private boolean happens(double probability) {
    return random.nextDouble() < probability;
  }

  private long upTo(long millis) {
    return millis == 0 ? 0 : random.nextLong(millis * FaultPlan.NANOS_PER_MILLI + 1);
  }
}
