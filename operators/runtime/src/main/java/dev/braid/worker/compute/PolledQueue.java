package dev.braid.worker.compute;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.LongSupplier;

/**
 * A queue whose single consumer polls it for a moment before it sleeps. Waking a thread takes as
 * long as the update of a small model, and the next gradient is requested right after the update.
 *
 * <p>A consumer that polls takes processor time from other threads, possibly from the one that it
 * waits for. It therefore polls only for a moment. After polling without success, because exchanges
 * take longer than that, it sleeps immediately for a number of takes. This number doubles with each
 * failure, until polling has succeeded several times in a row. (One success is not enough: within a
 * round, the batch to prepare always arrives at once, however late the round ends.)
 *
 * <p>Only the consumer accesses the fields: one thread, or after an error in it the thread that
 * replaces it.
 */
final class PolledQueue extends LinkedBlockingQueue<Runnable> {

  private static final long serialVersionUID = 1L;

  /** Polling time: a few times as long as it takes to wake a thread. */
  static final long POLL_NANOS = 100_000;

  /** Maximum number of takes for which the consumer sleeps at once before it polls again. */
  static final int MOST_SLEEPS = 64;

  /** Number of successful polls in a row that reset {@link #sleepsAfterFailure}. */
  static final int SUCCESSES = 4;

  private final transient LongSupplier nowNanos;

  /** Number of takes for which the consumer sleeps at once after the next failed poll. */
  private int sleepsAfterFailure = 1;

  /** Number of these takes that are left. */
  private int sleepsLeft;

  /** Number of successful polls in a row. */
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

  /** Returns the next work, or null if none arrives within {@link #POLL_NANOS}. */
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
