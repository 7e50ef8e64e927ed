package dev.braid.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Pull;
import dev.braid.loop.envelope.Envelope;
import dev.braid.loop.envelope.Envelope.Greeting;
import dev.braid.loop.envelope.Envelope.Letter;
import dev.braid.loop.envelope.LoopKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.util.function.ThrowingRunnable;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // Closing a harness may be interrupted.
class FeedbackEdgeTest {

  private static final LoopKey KEY = new LoopKey("job", "loop", 1, 0);

  private final QueuedMailbox mailbox = new QueuedMailbox();
  private final List<Envelope> received = new ArrayList<>();

  @Test
  void aBurstOfLettersIsOneMail() throws Exception {
    try (FeedbackEdge edge = FeedbackEdge.open(KEY, mailbox, received::add)) {
      edge.put(letter(0));
      edge.put(letter(1));
      assertThat(mailbox.mails).hasSize(1);
      mailbox.runAll();
      edge.put(letter(2));
      mailbox.runAll();
    }
    assertThat(received)
        .extracting(envelope -> ((Letter) envelope).message().round())
        .containsExactly(0L, 1L, 2L);
  }

  @Test
  void isFoundByItsGreetingUntilClosed() {
    FeedbackEdge edge = FeedbackEdge.open(KEY, mailbox, received::add);
    Greeting greeting = new Greeting(1, KEY, FeedbackEdge.JVM, FeedbackEdge.host());

    assertThat(FeedbackEdge.find(greeting)).containsSame(edge);
    edge.close();
    // The worker's task has failed, and must be the one that reports the reason.
    assertThat(FeedbackEdge.find(greeting)).isEmpty();
  }

  @Test
  void anotherAttemptIsNotFound() {
    try (FeedbackEdge edge = FeedbackEdge.open(KEY, mailbox, received::add)) {
      Greeting late = new Greeting(1, new LoopKey("job", "loop", 1, 1), FeedbackEdge.JVM, "here");
      assertThat(FeedbackEdge.find(late)).isEmpty();
      assertThat(edge).isNotNull();
    }
  }

  @Test
  void theReaderOfAWorkerThatHasEndedDoesNotFailInItsPlace() throws Exception {
    try (var reader =
        new OneInputStreamOperatorTestHarness<>(new FeedbackOperator.Factory(), 1, 1, 0)) {
      reader.open();
      reader.processElement(letter(0), 0);
      reader.processElement(new Greeting(1, KEY, FeedbackEdge.JVM, FeedbackEdge.host()), 0);
      reader.processElement(letter(1), 0);
    }
    assertThat(received).isEmpty();
  }

  @Test
  void theReaderHandsOverWhatCameBeforeTheGreeting() throws Exception {
    try (FeedbackEdge edge = FeedbackEdge.open(KEY, mailbox, received::add);
        var reader =
            new OneInputStreamOperatorTestHarness<>(new FeedbackOperator.Factory(), 1, 1, 0)) {
      reader.open();
      Letter early = letter(0);
      Letter late = letter(1);
      reader.processElement(early, 0);
      reader.processElement(new Greeting(1, KEY, FeedbackEdge.JVM, FeedbackEdge.host()), 0);
      reader.processElement(late, 0);
      mailbox.runAll();
      assertThat(edge).isNotNull();
      assertThat(received).containsExactly(early, late);
    }
  }

  @Test
  void aWorkerInAnotherJvmIsNamed() {
    Greeting elsewhere = new Greeting(1, KEY, "another", "host-b (process 7)");

    assertThatThrownBy(() -> FeedbackEdge.find(elsewhere))
        .isInstanceOf(SuppressRestartsException.class)
        .hasStackTraceContaining("worker 1 runs on host-b (process 7)")
        .hasStackTraceContaining("the two must share a slot");
  }

  private static Letter letter(long round) {
    return new Letter(0, new Message(0, 1, round, new Pull.Withdraw(0)));
  }

  private static final class QueuedMailbox implements MailboxExecutor {
    final Deque<ThrowingRunnable<? extends Exception>> mails = new ArrayDeque<>();

    @Override
    public void execute(
        MailOptions options,
        ThrowingRunnable<? extends Exception> command,
        String description,
        Object... arguments) {
      mails.add(command);
    }

    void runAll() throws Exception {
      while (!mails.isEmpty()) {
        mails.remove().run();
      }
    }

    @Override
    public void yield() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean tryYield() {
      return false;
    }

    @Override
    public boolean shouldInterrupt() {
      return false;
    }
  }
}
