package dev.braid.chaos;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.operators.MailboxExecutor;

/**
 * Calls in the task's thread after some nanoseconds. Flink's timers count milliseconds and add one,
 * which is as long as a message takes at a gigabit a second.
 */
final class NanoTimer implements AutoCloseable {

  private final ScheduledThreadPoolExecutor thread;
  private final MailboxExecutor mailbox;

  NanoTimer(String name, MailboxExecutor mailbox) {
    this.mailbox = mailbox;
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
      mailbox.execute(call::run, "a time has come");
    } catch (RejectedExecutionException e) {
      // The task has ended meanwhile.
      return;
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
