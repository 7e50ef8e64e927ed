package dev.braid.worker;

import dev.braid.worker.WorkerReports.Reporter;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.util.OutputTag;

/**
 * Reports that go out in a later mail: the next gradient is computed while those of the last round,
 * and at an epoch's end those of a whole model, are written.
 *
 * <p>They go out in their order, and all of them before a checkpoint's barrier, by {@link
 * WorkerOperator#prepareSnapshotPreBarrier}.
 */
final class LaterReports implements Reporter {

  private final Reporter to;
  private final MailboxExecutor mailbox;
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private boolean isSending;

  /** Whether a mail is on its way that sends what waits. */
  private boolean hasMail;

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
   * Has reports made when it is their turn to be sent, so that no second copy of a large model
   * waits in memory.
   *
   * @param reports reports here, what is sent at once then
   */
  void later(Runnable reports) {
    waiting.add(reports);
    if (hasMail) {
      return;
    }
    try {
      mailbox.execute(this::mailed, "reports");
      hasMail = true;
    } catch (RejectedExecutionException e) {
      // The task takes no more mails, as it ends.
      send();
    }
  }

  private void mailed() {
    hasMail = false;
    send();
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
