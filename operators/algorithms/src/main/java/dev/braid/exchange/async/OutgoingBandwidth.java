package dev.braid.exchange.async;

import java.util.Arrays;

/**
 * Bandwidth B: the number of bytes per second that a rank can send. It is measured window by window
 * on the rank's normal traffic, and is the lesser of two limits.
 *
 * <p><b>Network.</b> The rate is the bytes that arrived, divided by the time in which anything was
 * in flight. If the rank had to wait for its links during a window, this rate is what the links can
 * carry; the best of the latest such windows counts, because a receiver that acknowledges late is
 * no slow network. If the rank did not have to wait, the links carry at least the measured rate,
 * and at least as much as in earlier windows. Otherwise the round trips of a rank that sends little
 * would look like a slow network, and make it send less and less.
 *
 * <p><b>Processor.</b> The cost model assumes that sending is free (Ako §3.2). On a fast network a
 * rank would then send so much that its processor computes half as many gradients. So sending, and
 * applying as much from others, may take {@value #SHARE} of the time (Ako §4.1: workers shall fully
 * use the processor to train). But each message takes time, however little it contains. Where
 * messages alone exceed that share, smaller partitions would save nothing, so the limit has a lower
 * bound of one full message per peer and gradient.
 */
final class OutgoingBandwidth {

  /** Fraction of a rank's time that it may spend on sending and on applying what it receives. */
  static final double SHARE = 0.1;

  /**
   * Divisor of a window's time: links are full if the rank waits for them for more than this part,
   * 1/8.
   */
  private static final int FULL_PART = 8;

  /** Number of latest windows with full links, of which the best counts. */
  private static final int LATEST = 4;

  private static final double NANOS_PER_SECOND = 1e9;

  private long windowBeganNanos;
  private long bytesBefore;
  private long lastNanos;
  private boolean busy;
  private boolean waiting;
  private long busyNanos;
  private long waitedNanos;
  private long spentNanos;

  private final double[] fullBytesPerSecond = new double[LATEST];
  private long fullWindows;
  private double networkBytesPerSecond;

  /**
   * Bytes that arrived at peers, summed over windows; each window counts half as much as the next.
   * {@link #handledNanos} is the time spent on sending and applying, summed likewise.
   */
  private double handledBytes;

  private double handledNanos;

  OutgoingBandwidth(long nowNanos) {
    this.windowBeganNanos = nowNanos;
    this.lastNanos = nowNanos;
  }

  /**
   * Notes the state of the outbox from {@code nowNanos} on.
   *
   * @param isBusy whether anything is in flight
   * @param isWaiting whether anything waits to be sent
   */
  void stands(boolean isBusy, boolean isWaiting, long nowNanos) {
    long nanos = nowNanos - lastNanos;
    busyNanos += busy ? nanos : 0;
    waitedNanos += waiting ? nanos : 0;
    lastNanos = nowNanos;
    busy = isBusy;
    waiting = isWaiting;
  }

  /** Adds time that the rank has spent on sending or on applying what it received. */
  void spent(long nanos) {
    spentNanos += nanos;
  }

  /**
   * Ends a window and begins another.
   *
   * @param counts whether the ended window is representative of the next ones
   * @param bytesArrived total bytes that have arrived at peers so far
   */
  void window(boolean counts, long bytesArrived, long nowNanos) {
    stands(busy, waiting, nowNanos);
    long bytes = bytesArrived - bytesBefore;
    if (counts && bytes > 0 && busyNanos > 0) {
      carried(
          bytes * NANOS_PER_SECOND / busyNanos,
          waitedNanos * FULL_PART > nowNanos - windowBeganNanos);
      handledBytes = handledBytes / 2 + bytes;
      handledNanos = handledNanos / 2 + spentNanos;
    }
    windowBeganNanos = nowNanos;
    bytesBefore = bytesArrived;
    busyNanos = 0;
    waitedNanos = 0;
    spentNanos = 0;
  }

  private void carried(double bytesPerSecond, boolean isFull) {
    if (isFull) {
      fullBytesPerSecond[(int) (fullWindows++ % LATEST)] = bytesPerSecond;
      networkBytesPerSecond = Arrays.stream(fullBytesPerSecond).max().orElseThrow();
    } else {
      networkBytesPerSecond = Math.max(bytesPerSecond, networkBytesPerSecond);
    }
  }

  /** Returns whether at least one window was measured. */
  boolean isKnown() {
    return networkBytesPerSecond > 0;
  }

  /**
   * Returns the bandwidth, in bytes per second.
   *
   * @param fullMessages bytes per second for one full message per gradient to each other rank;
   *     sending less would not relieve the processor
   */
  double bytesPerSecond(double fullMessages) {
    double processor =
        handledNanos > 0
            ? Math.max(fullMessages, SHARE * handledBytes * NANOS_PER_SECOND / handledNanos)
            : Double.POSITIVE_INFINITY;
    return Math.min(networkBytesPerSecond, processor);
  }
}
