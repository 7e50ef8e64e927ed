package dev.braid.worker;

import dev.braid.worker.WorkerReports.Reporter;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.util.OutputTag;

/**
 * Reports that are sent in a later mail. The next gradient is computed while the reports of the
 * last round, or the whole model at the end of an epoch, are written.
 *
 * <p>Reports are sent in order, and all of them before a checkpoint's barrier ({@link
 * WorkerOperator#prepareSnapshotPreBarrier}).
 */
final class LaterReports implements Reporter {

  private final Reporter to;
  private final MailboxExecutor mailbox;
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private boolean isSending;

  /** Whether a mail that sends the waiting reports is on its way. */
  private boolean hasMail;

  LaterReports(Reporter to, MailboxExecutor mailbox) {
    this.to = to;
    this.mailbox = mailbox;
  }

  /** Sends a report later, or at once if called while the waiting reports are being sent. */
  @Override
  public <T> void report(OutputTag<T> tag, T report) {
    if (isSending) {
      to.report(tag, report);
    } else {
      later(() -> to.report(tag, report));
    }
  }

  /**
   * Creates reports when it is their turn to be sent, so that no second copy of a large model waits
   * in memory.
   *
   * @param reports makes reports through this object, which then sends them at once
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
      // The task is ending and accepts no more mails.
      send();
    }
  }

  private void mailed() {
    hasMail = false;
    send();
  }

  /** Sends all waiting reports. */
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
