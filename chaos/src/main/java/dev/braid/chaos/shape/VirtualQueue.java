package dev.braid.chaos.shape;

/**
 * A line that carries messages one by one, as a virtual queue: it holds no message, but knows when
 * the last one will have passed. Times are nanoseconds, given by the caller; messages are given in
 * the order in which they come.
 *
 * <p>Finish times follow from each other instead of the times of calls. A caller whose timers are
 * late therefore loses no bandwidth while its queue is not empty.
 */
public final class VirtualQueue {

  private static final double NANOS_PER_SECOND = 1e9;

  private final double bytesPerSecond;
  private long busyUntilNanos = Long.MIN_VALUE / 2;

  /** Creates a line that has carried no message; its bandwidth is above 0, or infinite. */
  public VirtualQueue(double bytesPerSecond) {
    this.bytesPerSecond = bytesPerSecond;
  }

  /**
   * Carries a message that is completely available.
   *
   * @return time when its last bit has passed, in nanoseconds
   */
  public long send(long bytes, long nowNanos) {
    return receive(bytes, nowNanos + passingNanos(bytes));
  }

  /**
   * Carries a message that comes from another line, bit by bit at the rate of that line. It takes
   * no longer than on the other line unless it meets messages of a third line.
   *
   * @param lastBitNanos time when its last bit has arrived here
   * @return time when its last bit has passed, in nanoseconds
   */
  public long receive(long bytes, long lastBitNanos) {
    busyUntilNanos = Math.max(lastBitNanos, busyUntilNanos + passingNanos(bytes));
    return busyUntilNanos;
  }

  private long passingNanos(long bytes) {
    return Math.round(bytes / bytesPerSecond * NANOS_PER_SECOND);
  }
}
