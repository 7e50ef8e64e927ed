package dev.braid.worker;

import dev.braid.worker.WorkerReports.Reporter;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.util.OutputTag;

/**
 * Reports that go out when the task has done what it is at: the next gradient is computed while
 * those of the last round, and at an epoch's end those of a whole model, are written.
 *
 * <p>They go out in their order, and all of them before a checkpoint's barrier: who takes one sends
 * them first.
 */
final class LaterReports implements Reporter {

  private final Reporter to;
  private final MailboxExecutor mailbox;
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private boolean isSending;

  LaterReports(Reporter to, MailboxExecutor mailbox) {
    this.to = to;
    this.mailbox = mailbox;
  }

  /** Sends a report later; at once, where it is one of those that are being sent. */
  @Override
  public <T> void report(OutputTag<T> tag, T report) {
    if (isSending) {
      to.report(tag, report);
    } else {
      later(() -> to.report(tag, report));
    }
  }

  /**
   * Has reports made later, as one of a large model is not to wait in memory besides it.
   *
   * @param reports reports here, and is told to in its turn
   */
  void later(Runnable reports) {
    waiting.add(reports);
    if (waiting.size() == 1) {
      try {
        mailbox.execute(this::send, "reports");
      } catch (RejectedExecutionException e) {
        // The task takes no more mails, as it ends.
        send();
      }
    }
  }

  /** Sends all that wait. */
  void send() {
    isSending = true;
    try {
      for (Runnable next = waiting.poll(); next != null; next = waiting.poll()) {
        next.run();
      }
    } finally {
      isSending = false;
    }
  }
}
