package dev.braid.exchange.transport;

import java.util.OptionalDouble;

/**
 * How many bytes a second links take from a rank: what has arrived, over the time in which
 * something was under way, window by window. Where little is under way that time is of round trips,
 * so that links can be faster than it says, and not slower.
 */
final class LineRate {

  /** As many bytes as tell more of a link's rate than of its round trip. */
  static final long WINDOW_BYTES = 1 << 20;

  private static final double NANOS_PER_SECOND = 1e9;

  private long underWayBytes;
  private long busySinceNanos;
  private long busyNanos;
  private long arrivedBytes;
  private double bytesPerSecond;

  /** So many bytes are under way from now on. */
  void sent(long bytes, long nowNanos) {
    if (underWayBytes == 0) {
      busySinceNanos = nowNanos;
    }
    underWayBytes += bytes;
  }

  /** So many bytes have arrived, of those that are under way. */
  void arrived(long bytes, long nowNanos) {
    underWayBytes -= bytes;
    arrivedBytes += bytes;
    busyNanos += nowNanos - busySinceNanos;
    busySinceNanos = nowNanos;
    if (arrivedBytes >= WINDOW_BYTES && busyNanos > 0) {
      bytesPerSecond = arrivedBytes * NANOS_PER_SECOND / busyNanos;
      arrivedBytes = 0;
      busyNanos = 0;
    }
  }

  /** Nothing is under way any more that counts. */
  void forget() {
    underWayBytes = 0;
    arrivedBytes = 0;
    busyNanos = 0;
  }

  /** In the last window; none before the first. */
  OptionalDouble bytesPerSecond() {
    return bytesPerSecond > 0 ? OptionalDouble.of(bytesPerSecond) : OptionalDouble.empty();
  }
}
