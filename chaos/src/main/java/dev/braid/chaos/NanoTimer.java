package dev.braid.chaos;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.flink.api.common.operators.MailboxExecutor;

/**
 * Calls in the task's thread after some nanoseconds. Flink's timers count milliseconds and add one,
 * which is as long as a message takes at a gigabit a second.
 */
final class NanoTimer implements AutoCloseable {

  private final ScheduledThreadPoolExecutor thread;
  private final MailboxExecutor mailbox;
  private final Consumer<Throwable> failure;

  /**
   * @param failure fails the task from another thread, for when not even a mail can be sent
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

  /** Calls once, in so many nanoseconds or soon after. */
  void callIn(long nanos, Runnable call) {
    // What goes wrong in the mail fails the task.
    var unused = thread.schedule(() -> mail(call), nanos, TimeUnit.NANOSECONDS);
  }

  private void mail(Runnable call) {
    try {
      mailbox.execute(call::run, "run a timer");
    } catch (RejectedExecutionException e) {
      // The task has ended meanwhile.
      return;
    } catch (Throwable e) {
      // The executor would keep it to itself, and letters would wait for ever.
      failure.accept(e);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
