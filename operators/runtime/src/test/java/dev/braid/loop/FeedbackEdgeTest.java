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
import dev.braid.loop.envelope.LoopKey;
import dev.braid.vector.FloatPool;
import dev.braid.vector.Range;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
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

  @Test
  void aLetterWaitsAsItWas_untilItsNoticeHasCrossedTheEdge() throws Exception {
    float[] vector = {1, 2, 3, 4};
    try (FeedbackEdge edge = FeedbackEdge.open(KEY, mailbox, received::add)) {
      Envelope notice = edge.leave(letter(vector), new FloatPool(4, 1)).orElseThrow();
      Arrays.fill(vector, 0);
      Letter arrived = (Letter) crossed(notice);
      assertThat(arrived.message().payload().dense().toArray()).containsExactly(2, 3);
      assertThat(arrived.message().round()).isEqualTo(7);
      assertThat(crossed(notice)).as("a place is for one letter").isEqualTo(notice);
    }
  }

  @Test
  void aPlaceAndItsMemoryAreUsedAgain_andOthersAreLimited() throws Exception {
    FloatPool pool = new FloatPool(4, 1);
    try (FeedbackEdge edge = FeedbackEdge.open(KEY, mailbox, received::add)) {
      Letter first = (Letter) crossed(edge.leave(letter(new float[4]), pool).orElseThrow());
      float[] lent = first.message().payload().dense().array();
      first.message().release();
      Letter second = (Letter) crossed(edge.leave(letter(new float[4]), pool).orElseThrow());
      assertThat(second.message().payload().dense().array()).isSameAs(lent);

      List<Envelope> notices = new ArrayList<>();
      for (var next = edge.leave(letter(0), pool);
          next.isPresent();
          next = edge.leave(letter(notices.size()), pool)) {
        notices.add(next.get());
      }
      assertThat(notices).hasSizeBetween(16, 1024).doesNotHaveDuplicates();
      for (Envelope notice : notices) {
        assertThat(crossed(notice)).isInstanceOf(Letter.class);
      }
      assertThat(edge.leave(letter(0), pool)).isPresent();
    }
  }

  /** The reader of the notice must not fail before the worker's task does. */
  @Test
  void aNoticeForAWorkerThatHasEndedIsIgnored() throws Exception {
    FeedbackEdge edge = FeedbackEdge.open(KEY, mailbox, received::add);
    Envelope notice = edge.leave(letter(0), new FloatPool(1, 1)).orElseThrow();
    edge.close();
    assertThat(crossed(notice)).isEqualTo(notice);
    try (var reader =
        new OneInputStreamOperatorTestHarness<>(new FeedbackOperator.Factory(), 1, 1, 0)) {
      reader.open();
      reader.processElement(notice, 0);
    }
  }

  @Test
  void onlyLettersToOpenEdgesOfTheSameAttemptStayHere() {
    NearRanks near = new NearRanks(new LoopKey("job", "loop", 0, 0), 4);
    Letter letter = letter(0);
    assertThat(near.passed(letter)).isSameAs(letter);
    LoopKey other = new LoopKey("job", "loop", 1, 1);
    try (FeedbackEdge edge = FeedbackEdge.open(other, mailbox, received::add)) {
      assertThat(edge).isNotNull();
      assertThat(near.passed(letter)).isSameAs(letter);
    }
    try (FeedbackEdge edge = FeedbackEdge.open(KEY, mailbox, received::add)) {
      assertThat(edge).isNotNull();
      assertThat(near.passed(letter)).isInstanceOf(Envelope.Waiting.class);
    }
  }

  /** Returns what the other end of Flink's edge reads. */
  private static Envelope crossed(Envelope sent) throws IOException {
    EnvelopeSerializer serializer = new EnvelopeSerializer(4);
    DataOutputSerializer out = new DataOutputSerializer(64);
    serializer.serialize(sent, out);
    return serializer.deserialize(new DataInputDeserializer(out.getCopyOfBuffer()));
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
