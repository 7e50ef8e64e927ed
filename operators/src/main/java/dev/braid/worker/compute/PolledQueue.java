package dev.braid.worker.compute;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.LongSupplier;

/**
 * A queue whose one consumer polls it for a moment before it sleeps: to wake a thread up takes as
 * long as a small model's update, after which the next gradient is asked for.
 *
 * <p>A consumer that polls takes a processor from others, which may be what it waits for. So it
 * polls for a moment only; and where it has done so in vain, as exchanges take longer than that, it
 * sleeps at once for a number of times that doubles, until polling has helped some times in a row.
 * (Some: within a round, what is to be prepared comes at once, whenever its end does.)
 *
 * <p>Its fields are the consumer's: a thread, and after an error in it another, which that one
 * starts.
 */
final class PolledQueue extends LinkedBlockingQueue<Runnable> {

  private static final long serialVersionUID = 1L;

  /** A few times as long as it takes to wake a thread up. */
  static final long POLL_NANOS = 100_000;

  /** How many times at most the consumer sleeps at once before it polls again. */
  static final int MOST_SLEEPS = 64;

  /** How many times in a row polling has to help. */
  static final int SUCCESSES = 4;

  private final transient LongSupplier nowNanos;

  /** How many times the consumer is to sleep at once after it has polled in vain. */
  private int sleepsAfterFailure = 1;

  /** How many of them are still to come. */
  private int sleepsLeft;

  /** How many times in a row polling has helped. */
  private int successes;

  PolledQueue(LongSupplier nowNanos) {
    this.nowNanos = nowNanos;
  }

  @Override
  public Runnable take() throws InterruptedException {
    Runnable work = poll();
    if (work == null && mayPoll()) {
      work = pollForAMoment();
    }
    return work == null ? super.take() : work;
  }

  private boolean mayPoll() {
    if (sleepsLeft > 0) {
      sleepsLeft--;
      return false;
    }
    return true;
  }

  /** What has come meanwhile; or nothing. */
  private Runnable pollForAMoment() throws InterruptedException {
    long begin = nowNanos.getAsLong();
    while (nowNanos.getAsLong() - begin < POLL_NANOS) {
      Runnable work = poll();
      if (work != null) {
        helped();
        return work;
      }
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      Thread.onSpinWait();
    }
    wasInVain();
    return null;
  }

  private void helped() {
    successes++;
    if (successes >= SUCCESSES) {
      sleepsAfterFailure = 1;
    }
  }

  private void wasInVain() {
    successes = 0;
    sleepsLeft = sleepsAfterFailure;
    sleepsAfterFailure = Math.min(2 * sleepsAfterFailure, MOST_SLEEPS);
  }
}
