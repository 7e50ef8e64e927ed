package dev.braid.worker.compute;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.LongSupplier;

/**
 * A queue whose one consumer watches it for a moment before it sleeps: to wake a thread up takes
 * longer than a small model's update, after which the next gradient is asked for.
 *
 * <p>Watching takes a processor from others, so it is for a moment only; and where it was in vain,
 * as exchanges take longer, it is left out for twice as many times as before.
 */
final class WatchedQueue extends LinkedBlockingQueue<Runnable> {

  private static final long serialVersionUID = 1L;

  /** A few times as long as it takes to wake a thread up. */
  static final long WATCH_NANOS = 100_000;

  static final int MOST_LEFT_OUT = 64;

  private final transient LongSupplier nowNanos;

  /** How many times the consumer is to sleep at once after it has watched in vain. */
  private int leftOut = 1;

  /** How many of them are still to come. */
  private int toLeaveOut;

  WatchedQueue(LongSupplier nowNanos) {
    this.nowNanos = nowNanos;
  }

  @Override
  public Runnable take() throws InterruptedException {
    Runnable work = poll();
    if (work == null && watches()) {
      work = watch();
    }
    return work == null ? super.take() : work;
  }

  private boolean watches() {
    if (toLeaveOut > 0) {
      toLeaveOut--;
      return false;
    }
    return true;
  }

  /** What has come meanwhile; or nothing. */
  private Runnable watch() throws InterruptedException {
    long begin = nowNanos.getAsLong();
    while (nowNanos.getAsLong() - begin < WATCH_NANOS) {
      Runnable work = poll();
      if (work != null) {
        leftOut = 1;
        return work;
      }
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      Thread.onSpinWait();
    }
    toLeaveOut = leftOut;
    leftOut = Math.min(2 * leftOut, MOST_LEFT_OUT);
    return null;
  }
}
