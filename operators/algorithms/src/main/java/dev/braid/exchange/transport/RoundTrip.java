package dev.braid.exchange.transport;

/**
 * The round-trip time to a peer, and the time-out after which an acknowledgement is overdue:
 * smoothed mean plus four mean deviations, as in RFC 6298, with bounds for this setting.
 *
 * <p>The fault-tolerant tree's paper names such time-outs as its future work. A time-out that comes
 * too early costs a few small messages and no data, so the bounds are tight.
 */
final class RoundTrip {

  /** Minimum time-out: more than a timer, the delay of an acknowledgement and a busy thread add. */
  static final long MIN_TIMEOUT_NANOS = 25_000_000;

  static final long MAX_TIMEOUT_NANOS = 2_000_000_000;
  private static final long INITIAL_TIMEOUT_NANOS = 200_000_000;

  private static final double GAIN = 1.0 / 8;
  private static final double DEVIATION_GAIN = 1.0 / 4;

  private boolean known;
  private double mean;
  private double deviation;

  /** Adds a sample, in nanoseconds. Use only messages that were sent once. */
  void sample(long nanos) {
    if (known) {
      deviation += DEVIATION_GAIN * (Math.abs(nanos - mean) - deviation);
      mean += GAIN * (nanos - mean);
    } else {
      known = true;
      mean = nanos;
      deviation = nanos / 2.0;
    }
  }

  long timeoutNanos() {
    if (!known) {
      return INITIAL_TIMEOUT_NANOS;
    }
    long nanos = Math.round(mean + 4 * deviation);
    return Math.max(MIN_TIMEOUT_NANOS, Math.min(MAX_TIMEOUT_NANOS, nanos));
  }
}
