package dev.braid.exchange.async;

import java.util.Arrays;

/**
 * B: how many bytes a second a rank can send, measured on what it sends anyway, window by window.
 * It is the least of two things.
 *
 * <p><b>What the network carries away</b>: bytes over the time in which something was under way.
 * Where the rank had to wait for its links, that is what they bear, in the best of the latest
 * windows: a receiver that was late to acknowledge is no slow network. Where it had not, they bear
 * at least so much, and no less than in a window before: what a rank that sends little takes for
 * round trips would count as a slow network otherwise, and let it send less and less.
 *
 * <p><b>What the processor can do besides computing.</b> The cost model takes sending for free (Ako
 * §3.2), and where the network is fast, a rank would send so much that its processor computes half
 * as many gradients. So sending, and applying as much from others, may take {@value #SHARE} of the
 * time (Ako §4.1: workers shall fully use the processor to train). But messages take time however
 * little is in them: where they alone take more than that share, partitions would become ever
 * smaller, and save nothing.
 */
final class OutgoingBandwidth {

  /** Of a rank's time, which it may spend on what it sends and is sent. */
  static final double SHARE = 0.1;

  /** A rank that waits for its links for more than this part of the time fills them. */
  private static final int FULL_PART = 8;

  /** Of so many windows in which links were full, the best counts. */
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

  /** Sums over windows, of which each counts half as much as the next. */
  private double handledBytes;

  private double handledNanos;

  OutgoingBandwidth(long nowNanos) {
    this.windowBeganNanos = nowNanos;
    this.lastNanos = nowNanos;
  }

  /**
   * How it stands.
   *
   * @param isBusy whether something is under way from now on
   * @param isWaiting whether something waits to get under way
   */
  void stands(boolean isBusy, boolean isWaiting, long nowNanos) {
    long nanos = nowNanos - lastNanos;
    busyNanos += busy ? nanos : 0;
    waitedNanos += waiting ? nanos : 0;
    lastNanos = nowNanos;
    busy = isBusy;
    waiting = isWaiting;
  }

  /** The rank has spent time on sending, or on what it was sent. */
  void spent(long nanos) {
    spentNanos += nanos;
  }

  /**
   * Ends a window and begins another.
   *
   * @param counts whether this one is like those to come
   * @param bytesArrived all bytes that have arrived up to now
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

  /** Whether there was a window. */
  boolean isKnown() {
    return networkBytesPerSecond > 0;
  }

  /**
   * Bytes a second.
   *
   * @param fullMessages bytes a second that are sent with one full message to each other rank for
   *     each gradient: the processor is not spared by less
   */
  double bytesPerSecond(double fullMessages) {
    double processor =
        handledNanos > 0
            ? Math.max(fullMessages, SHARE * handledBytes * NANOS_PER_SECOND / handledNanos)
            : Double.POSITIVE_INFINITY;
    return Math.min(networkBytesPerSecond, processor);
  }
}
