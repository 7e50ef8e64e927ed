package dev.braid.chaos.shape;

/**
 * A line that carries one message after the other, as a virtual queue: it holds no message, but
 * knows when the last one will have passed. Times are nanoseconds, given by the caller; messages
 * are given in the order in which they come.
 *
 * <p>Finish times follow from each other and not from when somebody got round to asking, so a
 * caller whose timers are late loses no bandwidth while its queue is not empty.
 */
public final class VirtualQueue {

  private static final double NANOS_PER_SECOND = 1e9;

  private final double bytesPerSecond;
  private long busyUntilNanos = Long.MIN_VALUE / 2;

  /** A line that nothing has passed yet; of any bandwidth above 0, or infinite. */
  public VirtualQueue(double bytesPerSecond) {
    this.bytesPerSecond = bytesPerSecond;
  }

  /**
   * A message that lies ready passes.
   *
   * @return when its last bit has passed
   */
  public long send(long bytes, long nowNanos) {
    return receive(bytes, nowNanos + passingNanos(bytes));
  }

  /**
   * A message passes that comes from another line, bit by bit as that lets it: so it takes no
   * longer than it has on the other one, but where it meets messages of a third.
   *
   * @param lastBitNanos when its last bit is here
   * @return when its last bit has passed
   */
  public long receive(long bytes, long lastBitNanos) {
    busyUntilNanos = Math.max(lastBitNanos, busyUntilNanos + passingNanos(bytes));
    return busyUntilNanos;
  }

  private long passingNanos(long bytes) {
    return Math.round(bytes / bytesPerSecond * NANOS_PER_SECOND);
  }
}
