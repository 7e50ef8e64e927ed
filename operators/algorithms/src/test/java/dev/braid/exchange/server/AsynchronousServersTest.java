package dev.braid.exchange.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.RecordingPort;
import dev.braid.exchange.Staleness;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Pull;
import dev.braid.exchange.message.Share.Gradient;
import dev.braid.exchange.transport.Flight;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests two workers and a server, which is rank 2. */
class AsynchronousServersTest {

  private static final int LENGTH = 12;
  private static final Range WHOLE = Range.ofLength(LENGTH);

  private final RecordingPort port = new RecordingPort(new float[LENGTH]);

  @Test
  void aGradientIsSteppedAtOnce_andItsWorkerMayHaveTheWeightsThen() {
    AsynchronousServers server = exchange(2, Consistency.ASYNC, LENGTH / 2);
    server.receive(pull(0, 1, false));
    server.receive(gradient(0, 0, new Range(0, 6)));
    Update.GradientSum step = port.takeSums().get(0);
    assertThat(step.samples()).as("two gradients of ten samples make a step").isEqualTo(20);
    assertThat(port.takeSent()).isEmpty();

    server.receive(gradient(0, 0, new Range(6, 12)));
    List<Message> sent = port.takeSent();
    assertThat(sent)
        .extracting(AsynchronousServersTest::said, Message::to)
        .containsExactly(tuple(Pull.Granted.class, 0));
    assertThat(sent.get(0).payload().dense().toArray()).containsOnly(-1);
    assertThat(server.isQuiet()).isTrue();
    assertThat(server.completedRounds()).as("rounds of its own").isZero();
  }

  /** The staleness bound is 1. */
  @Test
  void aWorkerThatIsAheadGetsTheWeightsWhenTheSlowestHasCaughtUp() {
    AsynchronousServers server = exchange(2, Consistency.SSP, LENGTH);
    server.receive(gradient(0, 0, WHOLE));
    server.receive(pull(0, 1, false));
    assertThat(port.takeSent())
        .extracting(AsynchronousServersTest::said)
        .contains(Pull.Granted.class);
    server.receive(gradient(0, 1, WHOLE));
    server.receive(pull(0, 2, false));
    assertThat(port.takeSent()).isEmpty();

    server.receive(gradient(1, 0, WHOLE));
    List<Message> sent = port.takeSent();
    assertThat(sent)
        .extracting(AsynchronousServersTest::said, Message::to)
        .containsExactly(tuple(Pull.Granted.class, 0));
    assertThat(sent.get(0).payload().dense().toArray()).as("as they are now").containsOnly(-3);
  }

  @Test
  void aWorkerThatHasEndedKeepsNobodyWaiting() {
    AsynchronousServers server = exchange(2, Consistency.SSP, LENGTH);
    server.receive(gradient(0, 0, WHOLE));
    server.receive(gradient(0, 1, WHOLE));
    server.receive(pull(0, 2, false));
    assertThat(port.takeSent())
        .extracting(AsynchronousServersTest::said)
        .doesNotContain(Pull.Granted.class);

    server.receive(pull(1, 0, true));
    assertThat(port.takeSent())
        .extracting(AsynchronousServersTest::said, Message::to)
        .containsExactly(tuple(Pull.Granted.class, 0));
  }

  /** The server has two gradients of worker 0 and none of worker 1 when it is asked. */
  @Test
  void weightsSayHowFarTheyLagBehind() {
    AsynchronousServers server = exchange(2, Consistency.ASYNC, LENGTH);
    server.receive(gradient(0, 0, WHOLE));
    server.receive(gradient(0, 1, WHOLE));
    server.receive(pull(0, 2, false));
    Message weights = port.takeSent().get(0);

    AsynchronousServers worker = exchange(0, Consistency.ASYNC, LENGTH);
    assertThat(worker.staleness()).isEqualTo(Staleness.NONE);
    worker.contribute(new Contribution(0, new float[LENGTH], 10));
    worker.receive(weights(WHOLE, 1));
    worker.contribute(new Contribution(1, new float[LENGTH], 10));
    worker.receive(weights);
    assertThat(worker.staleness()).isEqualTo(new Staleness(2, 2));
  }

  /** If a checkpoint is declined, a late answer must not be taken for one to the new question. */
  @Test
  void aFlushThatIsNotOver_letsNoPullBeginAnewBeforeAllAreAnswered() {
    AsynchronousServers worker = exchange(0, Consistency.SSP, LENGTH / 2);
    worker.contribute(new Contribution(0, new float[LENGTH], 10));
    worker.flush();
    port.takeSent();
    worker.resume();
    assertThat(port.takeSent()).as("two answers are missing").isEmpty();
    worker.receive(weights(new Range(0, 6), 1));
    worker.receive(withdrawn(new Range(6, 12)));
    assertThat(port.takeSent())
        .extracting(AsynchronousServersTest::said, Message::range)
        .containsExactly(
            tuple(Pull.Request.class, new Range(0, 6)),
            tuple(Pull.Request.class, new Range(6, 12)));
    assertThat(worker.mayCompute()).isFalse();
    worker.receive(weights(new Range(0, 6), 1));
    worker.receive(weights(new Range(6, 12), 1));
    assertThat(worker.mayCompute()).isTrue();
  }

  @Test
  void aFlushAfterOneThatWasNotOver_isWaitedFor() {
    AsynchronousServers worker = exchange(0, Consistency.SSP, LENGTH);
    worker.contribute(new Contribution(0, new float[LENGTH], 10));
    worker.flush();
    worker.resume();
    worker.flush();
    port.takeSent();
    worker.receive(withdrawn(WHOLE));
    assertThat(port.takeSent()).as("it is flushed").isEmpty();
    worker.resume();
    assertThat(port.takeSent())
        .extracting(AsynchronousServersTest::said)
        .containsExactly(Pull.Request.class);
  }

  /** A server sends answers to workers only: it can be held without the worker. */
  @Test
  void aWorkerCannotGetQuietWithoutItsServer_andAServerWithoutAWorkerCan() {
    AsynchronousServers worker = exchange(0, Consistency.SSP, LENGTH);
    worker.absent(2);
    assertThat(worker.absentRanks()).containsExactly(2);
    assertThat(worker.unreachable()).isEmpty();
    worker.contribute(new Contribution(0, new float[LENGTH], 10));
    assertThat(worker.unreachable()).containsExactly(2);
    worker.arrived(gradientTo(2, LENGTH));
    assertThat(worker.unreachable()).containsExactly(2);
    worker.back(2);
    assertThat(worker.absentRanks()).isEmpty();
    assertThat(worker.unreachable()).isEmpty();

    AsynchronousServers server = exchange(2, Consistency.SSP, LENGTH);
    server.receive(pull(0, 1, false));
    server.absent(0);
    assertThat(server.unreachable()).isEmpty();
  }

  @Test
  void aPullThatWaitsIsWithdrawnByAFlush_andBeginsAnewAfterwards() {
    AsynchronousServers server = exchange(2, Consistency.SSP, LENGTH);
    server.receive(pull(0, 2, false));
    server.receive(new Message(0, 2, 2, new Pull.Withdraw(2)));
    List<Message> answers = port.takeSent();
    assertThat(answers).extracting(Message::body).containsExactly(new Pull.Refused(WHOLE));
    server.receive(pull(0, 2, false));
    assertThat(port.takeSent())
        .as("the second of two was overtaken")
        .extracting(Message::body)
        .containsExactly(new Pull.Refused(WHOLE));
    server.receive(pull(0, 2, false));
    assertThat(port.takeSent()).isEmpty();

    AsynchronousServers worker = exchange(0, Consistency.SSP, LENGTH);
    worker.contribute(new Contribution(0, new float[LENGTH], 10));
    assertThat(port.takeSent())
        .extracting(AsynchronousServersTest::said)
        .containsExactly(Gradient.class, Pull.Request.class);
    worker.flush();
    assertThat(port.takeSent())
        .extracting(AsynchronousServersTest::said)
        .containsExactly(Pull.Withdraw.class);
    worker.arrived(gradientTo(2, LENGTH));
    worker.arrived(new Message(0, 2, 1, new Pull.Withdraw(1)));
    answers.forEach(worker::receive);
    assertThat(worker.isQuiet()).isTrue();
    assertThat(worker.mayCompute()).isFalse();
    assertThat(port.takeUpdates()).isEmpty();

    worker.resume();
    assertThat(port.takeSent())
        .extracting(AsynchronousServersTest::said)
        .containsExactly(Pull.Request.class);
    worker.receive(weights(WHOLE, 5));
    assertThat(worker.mayCompute()).isTrue();
    assertThat(port.model()[0]).containsOnly(5);
  }

  /** Four of twelve chunks of one element are in flight each time. */
  @Test
  void gradientsAndPullsHaveWindows() {
    AsynchronousServers worker = exchange(0, Consistency.ASYNC, 1);
    worker.contribute(new Contribution(0, new float[LENGTH], 10));
    assertThat(worker.completedRounds()).isEqualTo(1);
    assertThat(port.takeSent()).hasSize(2 * Flight.LEAST);
    for (int chunk = 0; chunk < LENGTH; chunk++) {
      boolean more = chunk < LENGTH - Flight.LEAST;
      worker.arrived(gradientTo(2, 1));
      assertThat(port.takeSent()).hasSize(more ? 1 : 0);
      assertThat(worker.mayCompute()).isFalse();
      worker.receive(weights(new Range(chunk, chunk + 1), chunk));
      assertThat(port.takeSent()).hasSize(more ? 1 : 0);
    }
    assertThat(worker.mayCompute()).isTrue();
    assertThat(worker.isQuiet()).isTrue();
  }

  @Test
  void theLastWeightsComeWhenAllAreAtTheEnd() {
    AsynchronousServers worker = exchange(0, Consistency.ASYNC, LENGTH);
    worker.end();
    Message last = port.takeSent().get(0);
    assertThat(last.body()).isEqualTo(new Pull.Request(WHOLE, true));
    assertThat(worker.isQuiet()).isFalse();

    AsynchronousServers server = exchange(2, Consistency.ASYNC, LENGTH);
    server.receive(last);
    assertThat(port.takeSent()).isEmpty();
    server.receive(pull(1, 0, true));
    List<Message> sent = port.takeSent();
    assertThat(sent).extracting(Message::to).containsExactlyInAnyOrder(0, 1);
    worker.receive(sent.get(0).to() == 0 ? sent.get(0) : sent.get(1));
    assertThat(worker.isQuiet()).isTrue();
    assertThat(worker.mayCompute()).isFalse();
  }

  private AsynchronousServers exchange(int rank, Consistency consistency, int chunkLength) {
    ExchangeOptions options =
        ExchangeOptions.defaults(3)
            .withBatch(10)
            .with(ExchangeOptions.STALENESS, 1)
            .with(new ServerOptions(1, consistency));
    return new AsynchronousServers(
        new ExchangeConfig(rank, 3, LENGTH, chunkLength, 0, options), port);
  }

  private static Class<?> said(Message message) {
    return message.body().getClass();
  }

  private static Payload filled(Range range, float value) {
    float[] values = new float[range.length()];
    Arrays.fill(values, value);
    return Payload.of(Slice.view(values, 0, values.length));
  }

  private static Message gradient(int from, long round, Range range) {
    return new Message(from, 2, round, new Gradient(range, 10, filled(range, 1)));
  }

  private static Message pull(int from, long round, boolean atTheEnd) {
    return new Message(from, 2, round, new Pull.Request(WHOLE, atTheEnd));
  }

  private static Message gradientTo(int server, int values) {
    Range range = Range.ofLength(values);
    return new Message(0, server, 0, new Gradient(range, 10, filled(range, 1)));
  }

  private static Message withdrawn(Range range) {
    return new Message(2, 0, 1, new Pull.Refused(range));
  }

  private static Message weights(Range range, float value) {
    return new Message(2, 0, 1, new Pull.Granted(range, 0, filled(range, value)));
  }
}
