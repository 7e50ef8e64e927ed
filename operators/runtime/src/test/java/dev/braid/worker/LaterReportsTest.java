package dev.braid.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.runtime.tasks.StreamTaskActionExecutor;
import org.apache.flink.streaming.runtime.tasks.mailbox.MailboxExecutorImpl;
import org.apache.flink.streaming.runtime.tasks.mailbox.TaskMailbox;
import org.apache.flink.streaming.runtime.tasks.mailbox.TaskMailboxImpl;
import org.apache.flink.util.OutputTag;
import org.junit.jupiter.api.Test;

class LaterReportsTest {

  private static final int PRIORITY = 0;
  private static final OutputTag<String> TAG = new OutputTag<>("tag", Types.STRING);

  private final TaskMailbox mails = new TaskMailboxImpl();
  private final List<Object> sent = new ArrayList<>();
  private final LaterReports reports =
      new LaterReports(
          new WorkerReports.Reporter() {
            @Override
            public <T> void report(OutputTag<T> tag, T report) {
              sent.add(report);
            }
          },
          new MailboxExecutorImpl(mails, PRIORITY, StreamTaskActionExecutor.IMMEDIATE));

  @Test
  void reportsGoOutInOrder_whenTheTaskHasDoneWhatItIsAt() throws Exception {
    reports.report(TAG, "round 1");
    reports.later(
        () -> {
          reports.report(TAG, "model, first part");
          reports.report(TAG, "model, second part");
        });
    reports.report(TAG, "round 2");
    assertThat(sent).isEmpty();

    mails.take(PRIORITY).run();
    assertThat(sent)
        .containsExactly("round 1", "model, first part", "model, second part", "round 2");
    assertThat(mails.hasMail()).isFalse();

    reports.report(TAG, "round 3");
    mails.take(PRIORITY).run();
    assertThat(sent).last().isEqualTo("round 3");
  }

  @Test
  void beforeABarrier_allAreSent_andNoneTwice() throws Exception {
    reports.report(TAG, "round 1");
    reports.send();
    assertThat(sent).containsExactly("round 1");
    mails.take(PRIORITY).run();
    assertThat(sent).containsExactly("round 1");
  }

  @Test
  void aTaskThatTakesNoMoreMails_sendsAtOnce() {
    mails.quiesce();
    reports.report(TAG, "last words");
    assertThat(sent).containsExactly("last words");
  }
}
