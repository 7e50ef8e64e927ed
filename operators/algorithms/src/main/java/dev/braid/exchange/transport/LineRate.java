package dev.braid.exchange.transport;

import java.util.OptionalDouble;

/**
 * The rate at which links accept bytes from a rank: the bytes that arrived, divided by the time in
 * which anything was in flight, window by window. If little is in flight, that time consists of
 * round trips, so links can be faster than this rate, but not slower.
 */
final class LineRate {

  /** Bytes in a window: enough to measure a link's rate rather than its round trip. */
  static final long WINDOW_BYTES = 1 << 20;

  private static final double NANOS_PER_SECOND = 1e9;

  private long underWayBytes;
  private long busySinceNanos;
  private long busyNanos;
  private long arrivedBytes;
  private double bytesPerSecond;

  /** Notes that bytes have been sent and are in flight. */
  void sent(long bytes, long nowNanos) {
    if (underWayBytes == 0) {
      busySinceNanos = nowNanos;
    }
    underWayBytes += bytes;
  }

  /** Notes that bytes in flight have arrived. */
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

  /** Discards the current window and the bytes in flight. */
  void forget() {
    underWayBytes = 0;
    arrivedBytes = 0;
    busyNanos = 0;
  }

  /** Returns the rate of the last window, or empty before the first. */
  OptionalDouble bytesPerSecond() {
    return bytesPerSecond > 0 ? OptionalDouble.of(bytesPerSecond) : OptionalDouble.empty();
  }
}
