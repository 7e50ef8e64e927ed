package dev.braid.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Pull;
import dev.braid.exchange.message.Sum;
import dev.braid.loop.envelope.Envelope;
import dev.braid.loop.envelope.Envelope.Greeting;
import dev.braid.loop.envelope.Envelope.Letter;
import dev.braid.vector.Range;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.util.function.ThrowingRunnable;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // Closing a harness may be interrupted.
class FeedbackEdgeTest {

  private final QueuedMailbox mailbox = new QueuedMailbox();
  private final List<Envelope> received = new ArrayList<>();

  @Test
  void aBurstOfLettersIsOneMail() throws Exception {
    try (FeedbackEdge edge = open()) {
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
    FeedbackEdge edge = open();

    assertThat(FeedbackEdge.find(greeting(edge))).containsSame(edge);
    edge.close();
    // The worker's task has failed, and must be the one that reports the reason.
    assertThat(FeedbackEdge.find(greeting(edge))).isEmpty();
  }

  @Test
  void theReaderOfAWorkerThatHasEndedDoesNotFailInItsPlace() throws Exception {
    FeedbackEdge edge = open();
    edge.close();
    try (var reader =
        new OneInputStreamOperatorTestHarness<>(new FeedbackOperator.Factory(), 1, 1, 0)) {
      reader.open();
      reader.processElement(letter(0), 0);
      reader.processElement(greeting(edge), 0);
      reader.processElement(letter(1), 0);
    }
    assertThat(received).isEmpty();
  }

  @Test
  void theReaderHandsOverWhatCameBeforeTheGreeting() throws Exception {
    try (FeedbackEdge edge = open();
        var reader =
            new OneInputStreamOperatorTestHarness<>(new FeedbackOperator.Factory(), 1, 1, 0)) {
      reader.open();
      Letter early = letter(0);
      Letter late = letter(1);
      reader.processElement(early, 0);
      reader.processElement(greeting(edge), 0);
      reader.processElement(late, 0);
      mailbox.runAll();
      assertThat(received).containsExactly(early, late);
    }
  }

  @Test
  void aWorkerInAnotherJvmIsNamed() {
    Greeting elsewhere = new Greeting(1, 0, "another", "host-b (process 7)");

    assertThatThrownBy(() -> FeedbackEdge.find(elsewhere))
        .isInstanceOf(SuppressRestartsException.class)
        .hasStackTraceContaining("worker 1 runs on host-b (process 7)")
        .hasStackTraceContaining("the two must share a slot");
  }

  @Test
  void lettersWaitUntilTheWorkerBegins() throws Exception {
    try (FeedbackEdge edge = FeedbackEdge.open(mailbox)) {
      edge.put(letter(0));
      mailbox.runAll();
      assertThat(received).isEmpty();
      edge.begin(received::add);
      edge.put(letter(1));
      mailbox.runAll();
    }
    assertThat(received).containsExactly(letter(0), letter(1));
  }

  @Test
  void aLetterArrivesAsItWasWhenItWasSent_inMemoryThatIsUsedAgain() throws Exception {
    float[] vector = {1, 2, 3, 4};
    try (FeedbackEdge edge = open()) {
      NearRanks near = new NearRanks(List.of(0L, edge.number()), 4);
      assertThat(near.handOver(letter(vector))).isTrue();
      Arrays.fill(vector, 0);
      mailbox.runAll();
      Message first = ((Letter) received.get(0)).message();
      assertThat(first.payload().dense().toArray()).containsExactly(2, 3);
      assertThat(first.round()).isEqualTo(7);

      float[] lent = first.payload().dense().array();
      first.release();
      assertThat(near.handOver(letter(vector))).isTrue();
      mailbox.runAll();
      Message second = ((Letter) received.get(1)).message();
      assertThat(second.payload().dense().array()).isSameAs(lent);
    }
  }

  @Test
  void onlyRanksWithAnOpenEdgeHereAreNear() {
    FeedbackEdge ended = open();
    ended.close();
    try (FeedbackEdge edge = open()) {
      NearRanks near = new NearRanks(List.of(ended.number(), edge.number()), 4);
      assertThat(near.handOver(letter(0))).isTrue();
      NearRanks others = new NearRanks(List.of(edge.number(), ended.number()), 4);
      assertThat(others.handOver(letter(0))).isFalse();
    }
  }

  @Test
  void aWorkerThatReceivesWithoutEndReturnsToItsMailbox() throws Exception {
    try (FeedbackEdge edge = open()) {
      for (int round = 0; round < 1000; round++) {
        edge.put(letter(round));
      }
      mailbox.mails.remove().run();
      assertThat(received).hasSizeBetween(1, 500);
      assertThat(mailbox.mails).hasSize(1);
      mailbox.runAll();
      assertThat(received).hasSize(1000).last().isEqualTo(letter(999));
    }
  }

  @Test
  void whatComesAfterTheEndIsNotKept() throws Exception {
    FeedbackEdge edge = open();
    NearRanks near = new NearRanks(List.of(0L, edge.number()), 4);
    edge.close();
    assertThat(near.handOver(letter(0))).isTrue();
    mailbox.runAll();
    assertThat(received).isEmpty();
  }

  private static Greeting greeting(FeedbackEdge edge) {
    return new Greeting(1, edge.number(), FeedbackEdge.JVM, FeedbackEdge.host());
  }

  private FeedbackEdge open() {
    FeedbackEdge edge = FeedbackEdge.open(mailbox);
    edge.begin(received::add);
    return edge;
  }

  /** Returns a letter with the second and third element of a vector. */
  private static Letter letter(float[] vector) {
    Range range = new Range(1, 3);
    Sum sum = new Sum(Sum.Kind.PARTIAL, 0, range, 1, Payload.view(vector, range));
    return new Letter(0, new Message(0, 1, 7, sum));
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
