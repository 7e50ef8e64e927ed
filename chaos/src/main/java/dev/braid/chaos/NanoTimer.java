package dev.braid.chaos;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.flink.api.common.operators.MailboxExecutor;

/**
 * Runs calls in the task's thread after a number of nanoseconds. Flink's timers count milliseconds
 * and add one, and a millisecond is as long as a message takes at a gigabit a second.
 */
final class NanoTimer implements AutoCloseable {

  private final ScheduledThreadPoolExecutor thread;
  private final MailboxExecutor mailbox;
  private final Consumer<Throwable> failure;

  /**
   * Starts the timer's thread.
   *
   * @param failure fails the task from another thread, if not even a mail can be sent
   */
  NanoTimer(String name, MailboxExecutor mailbox, Consumer<Throwable> failure) {
    this.mailbox = mailbox;
    this.failure = failure;
    this.thread =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread daemon = new Thread(task, name);
              daemon.setDaemon(true);
              return daemon;
            });
  }

  /** Runs a call once, in this many nanoseconds or soon after. */
  void callIn(long nanos, Runnable call) {
    // A failure of the call fails the task.
    var unused = thread.schedule(() -> mail(call), nanos, TimeUnit.NANOSECONDS);
  }

  private void mail(Runnable call) {
    try {
      mailbox.execute(call::run, "run a timer");
    } catch (RejectedExecutionException e) {
      // The task has ended meanwhile.
      return;
    } catch (Throwable e) {
      // The executor would hide the failure, and letters would wait forever.
      failure.accept(e);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
