package dev.braid.exchange;

/**
 * B: how many bytes a second a rank's links carry away, measured on what it sends anyway: bytes,
 * over the time in which something was under way. Where that is all of the time, it is what the
 * network bears; where it is not, the network bears at least so much, and more is not asked for.
 */
final class OutgoingBandwidth {

  private static final double NANOS_PER_SECOND = 1e9;

  private boolean busy;
  private long busySinceNanos;
  private long busyNanos;
  private long bytesBefore;
  private long bytes;

  OutgoingBandwidth(long nowNanos) {
    this.busySinceNanos = nowNanos;
  }

  /**
   * How it stands.
   *
   * @param isBusy whether something is under way from now on
   * @param bytesArrived all bytes that have arrived up to now
   */
  void underWay(boolean isBusy, long bytesArrived, long nowNanos) {
    if (busy) {
      busyNanos += nowNanos - busySinceNanos;
    }
    busySinceNanos = nowNanos;
    busy = isBusy;
    bytes = bytesArrived;
  }

  boolean isKnown() {
    return bytes > bytesBefore && busyNanos > 0;
  }

  double bytesPerSecond() {
    return (bytes - bytesBefore) * NANOS_PER_SECOND / busyNanos;
  }

  /** Begins anew: the network may have changed. */
  void forget(long bytesArrived, long nowNanos) {
    busyNanos = 0;
    busySinceNanos = nowNanos;
    bytesBefore = bytesArrived;
  }
}
