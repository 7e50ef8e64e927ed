package dev.braid.job.feed;

import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/**
 * The times at which records are due. A feed that has fallen behind sends records at once until it
 * has caught up, so that the rate is right on average.
 *
 * @param perSecond records a second, more than 0; empty to send all at once
 */
record FeedPace(OptionalDouble perSecond) {

  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  /**
   * Returns the time until a record is due, in nanoseconds; 0 or less if it is due.
   *
   * @param record the record's number, from 0
   * @param elapsedNanos time since the feed began
   */
  long waitNanos(long record, long elapsedNanos) {
    return perSecond.isEmpty()
        ? 0
        : (long) (record / perSecond.getAsDouble() * NANOS_PER_SECOND) - elapsedNanos;
  }
}
