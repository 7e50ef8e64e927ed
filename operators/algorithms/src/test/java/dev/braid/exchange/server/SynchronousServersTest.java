package dev.braid.exchange.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.RecordingPort;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Share.Gradient;
import dev.braid.exchange.message.Share.Weights;
import dev.braid.exchange.transport.Window;
import dev.braid.vector.Range;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SynchronousServersTest {

  private static final int LENGTH = 36;

  private final RecordingPort port = new RecordingPort(new float[LENGTH]);

  /** 1 + 10^8 − 10^8 is 0 in that order, and 1 in another. */
  @Test
  void sumsAreInTheOrderOfTheRanks_overTheSamplesThatAreThere() {
    SynchronousServers server = exchange(3, 4, 1, LENGTH);
    server.receive(gradientFrom(2, 0, Range.ofLength(LENGTH), -1e8f, 3));
    server.receive(gradientFrom(1, 0, Range.ofLength(LENGTH), 1e8f, 2));
    assertThat(port.takeSent()).isEmpty();
    server.receive(gradientFrom(0, 0, Range.ofLength(LENGTH), 1, 0));

    Update.GradientSum step = port.takeSums().get(0);
    assertThat(step.values().toArray()).containsOnly(0);
    assertThat(step.samples()).isEqualTo(5);
    assertThat(port.takeSent())
        .allMatch(message -> message.body() instanceof Weights)
        .extracting(Message::to)
        .containsExactly(0, 1, 2);
    assertThat(server.mayCompute()).isFalse();
    assertThat(server.served()).isEqualTo(Range.ofLength(LENGTH));
    assertThat(server.jointRounds()).isEqualTo(1);
    assertThat(server.completedRounds()).as("rounds of its own").isZero();
  }

  /** 32 of 36 chunks of one element are in flight, and four wait for answers. */
  @Test
  void aWorkerSendsNoMoreThanAServerAnswers() {
    SynchronousServers worker = exchange(0, 2, 1, 1);
    worker.contribute(new Contribution(0, new float[LENGTH], 1));
    assertThat(port.takeSent()).hasSize(Window.CHUNKS);
    for (int chunk = 0; chunk < LENGTH; chunk++) {
      assertThat(worker.mayCompute()).isFalse();
      worker.receive(weightsFrom(1, 0, new Range(chunk, chunk + 1), chunk));
      assertThat(port.takeSent()).hasSize(chunk < LENGTH - Window.CHUNKS ? 1 : 0);
    }
    assertThat(worker.mayCompute()).isTrue();
    assertThat(worker.completedRounds()).isEqualTo(1);
    assertThat(port.model()[0]).isEqualTo(consecutive());
    assertThat(worker.served()).isEqualTo(Range.EMPTY);
  }

  /** Two workers serve half of the model each. */
  @Test
  void aWorkerThatServesSendsItselfNothing() {
    SynchronousServers both = exchange(1, 2, 0, LENGTH);
    both.contribute(new Contribution(0, filled(3), 1));
    List<Message> sent = port.takeSent();
    assertThat(sent).extracting(Message::to).containsExactly(0);
    assertThat(sent.get(0).range()).isEqualTo(new Range(0, 18));

    both.receive(gradientFrom(0, 0, new Range(18, 36), 4, 1));
    assertThat(port.takeSums().get(0).values().toArray()).hasSize(18).containsOnly(7);
    assertThat(both.completedRounds()).as("the other half is missing").isZero();
    assertThat(both.jointRounds()).isEqualTo(1);
    assertThat(both.isThrough(1)).isFalse();
    both.receive(weightsFrom(0, 0, new Range(0, 18), 5));
    assertThat(both.isThrough(1)).isTrue();
    assertThat(Arrays.copyOf(port.model()[0], 18)).containsOnly(5);
    assertThat(Arrays.copyOfRange(port.model()[0], 18, 36)).containsOnly(-7);
  }

  @Test
  void aRoundCannotBeRolledBackFromItsFirstStepOn() {
    SynchronousServers server = exchange(1, 2, 1, 18);
    server.rollBack();
    server.receive(gradientFrom(0, 0, new Range(0, 18), 1, 1));
    assertThat(server.jointRounds()).isEqualTo(1);
    assertThat(server.isThrough(1)).isFalse();
    assertThatThrownBy(server::rollBack).hasMessageContaining("round 0 is applied over 1 chunks");
    server.receive(gradientFrom(0, 0, new Range(18, 36), 1, 1));
    assertThat(server.isThrough(1)).isTrue();
    server.rollBack();
  }

  private static float[] consecutive() {
    float[] values = new float[LENGTH];
    for (int i = 0; i < LENGTH; i++) {
      values[i] = i;
    }
    return values;
  }

  private SynchronousServers exchange(int rank, int ranks, int dedicated, int chunkLength) {
    ExchangeOptions options =
        ExchangeOptions.defaults(ranks).with(new ServerOptions(dedicated, Consistency.SYNC));
    return new SynchronousServers(
        new ExchangeConfig(rank, ranks, LENGTH, chunkLength, 0, options), port);
  }

  private static float[] filled(float value) {
    float[] filled = new float[LENGTH];
    Arrays.fill(filled, value);
    return filled;
  }

  private static Message gradientFrom(
      int from, long round, Range range, float value, long samples) {
    Payload values = Payload.view(filled(value), range);
    return new Message(from, 9, round, new Gradient(range, samples, values));
  }

  private static Message weightsFrom(int from, long round, Range range, float value) {
    return new Message(from, 9, round, new Weights(range, Payload.view(filled(value), range)));
  }
}
