package dev.braid.exchange.allreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.RecordingPort;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sum;
import dev.braid.exchange.message.Sum.Kind;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RingAllreduceTest {

  private final RecordingPort port = new RecordingPort();
  private final List<float[]> released = new ArrayList<>();

  @Test
  void contribution_startsTheOwnBlockOnly_inChunks() {
    ring(1, 3, 9, 2).contribute(gradient(9));
    assertThat(port.takeSent())
        .extracting(Message::to, RingAllreduceTest::kind, Message::range)
        .containsExactly(
            tuple(2, Kind.PARTIAL, new Range(3, 5)), tuple(2, Kind.PARTIAL, new Range(5, 6)));
  }

  @Test
  void twoRanks_swapTheirGradients_andSendNoSum() {
    RingAllreduce ring = ring(1, 2, 3, 2);
    ring.contribute(gradient(3));
    assertThat(port.takeSent())
        .extracting(Message::to, RingAllreduceTest::kind, Message::range)
        .containsExactly(
            tuple(0, Kind.PARTIAL, new Range(0, 2)), tuple(0, Kind.PARTIAL, new Range(2, 3)));
    ring.receive(message(0, Kind.PARTIAL, new Range(0, 2), 4, 10, 20));
    ring.receive(message(0, Kind.PARTIAL, new Range(2, 3), 4, 30));
    assertThat(port.takeSent()).isEmpty();
    assertThat(port.takeSums())
        .singleElement()
        .satisfies(
            sum -> {
              assertThat(sum.samples()).isEqualTo(5);
              assertThat(sum.values().toArray()).containsExactly(11, 21, 31);
            });
    assertThat(released).hasSize(2);
  }

  @Test
  void partialSum_goesOnWithTheOwnShare_andIsReleased() {
    RingAllreduce ring = ring(1, 3, 3, 3);
    ring.contribute(gradient(3));
    List<Message> own = port.takeSent();
    ring.receive(message(0, Kind.PARTIAL, new Range(0, 1), 4, 10));

    assertThat(own).hasSize(1);
    assertThat(port.takeSent())
        .singleElement()
        .satisfies(
            passed -> {
              assertThat(passed.body()).isInstanceOf(Sum.class);
              Sum sum = (Sum) passed.body();
              assertThat(sum.kind()).isEqualTo(Kind.PARTIAL);
              assertThat(sum.samples()).isEqualTo(5);
              assertThat(sum.payload().dense().toArray()).containsExactly(11);
            });
    assertThat(released).hasSize(1);
  }

  @Test
  void lastHop_turnsTheSumIntoABroadcast() {
    RingAllreduce ring = ring(1, 3, 3, 3);
    ring.contribute(gradient(3));
    assertThat(port.takeSent()).hasSize(1);
    ring.receive(message(0, Kind.PARTIAL, new Range(2, 3), 4, 10));
    assertThat(port.takeSent())
        .singleElement()
        .returns(Kind.FINISHED, RingAllreduceTest::kind)
        .returns(5L, message -> ((Sum) message.body()).samples());
  }

  @Test
  void broadcastWhoseNextHopHasIt_stopsHere() {
    RingAllreduce ring = ring(1, 3, 3, 3);
    ring.contribute(gradient(3));
    assertThat(port.takeSent()).hasSize(1);
    // Block 0 is complete at rank 2, to which rank 1 sends.
    ring.receive(message(0, Kind.FINISHED, new Range(0, 1), 6, 10));
    assertThat(port.takeSent()).isEmpty();
  }

  @Test
  void messagesBeforeTheOwnGradient_waitAndThenGoOn() {
    RingAllreduce ring = ring(1, 3, 3, 3);
    ring.receive(message(0, Kind.PARTIAL, new Range(0, 1), 4, 10));
    assertThat(port.takeSent()).isEmpty();
    assertThat(released).isEmpty();
    ring.contribute(gradient(3));
    assertThat(port.takeSent()).hasSize(2);
    assertThat(released).hasSize(1);
  }

  @Test
  void blockWithoutElements_isNotSent() {
    RingAllreduce ring = ring(0, 3, 1, 1);
    ring.contribute(gradient(1));
    assertThat(port.takeSent()).isEmpty();
    assertThat(ring.mayCompute()).isFalse();
  }

  @Test
  void singleRank_completesAtOnce() {
    RingAllreduce ring = ring(0, 1, 5, 2);
    ring.contribute(gradient(5));
    assertThat(port.takeSums()).singleElement().returns(5, sum -> sum.range().length());
    assertThat(ring.completedRounds()).isEqualTo(1);
  }

  @Test
  void rollBack_theSameRoundBeginsAgain() {
    RingAllreduce ring = ring(0, 2, 2, 1);
    ring.contribute(gradient(2));
    ring.receive(message(1, Kind.PARTIAL, new Range(1, 2), 1, 10));
    assertThat(port.takeSent()).hasSize(2);
    ring.rollBack();
    assertThat(ring.mayCompute()).isTrue();

    ring.contribute(gradient(2));
    ring.receive(message(1, Kind.PARTIAL, new Range(1, 2), 1, 10));
    assertThat(port.takeSums()).isEmpty();
    ring.receive(message(1, Kind.PARTIAL, new Range(0, 1), 1, 19));
    assertThat(port.takeSums())
        .singleElement()
        .satisfies(sum -> assertThat(sum.values().toArray()).containsExactly(20, 11));
  }

  private RingAllreduce ring(int rank, int ranks, int length, int chunkLength) {
    return new RingAllreduce(new ExchangeConfig(rank, ranks, length, chunkLength, 0), port);
  }

  private static Contribution gradient(int length) {
    float[] ones = new float[length];
    Arrays.fill(ones, 1);
    return new Contribution(0, ones, 1);
  }

  private Message message(int from, Kind kind, Range range, long samples, float... values) {
    Slice slice = Slice.lent(values, 0, values.length, released::add);
    return new Message(
        from,
        0,
        0,
        new Sum(kind, kind == Kind.FINISHED ? 1 : 0, range, samples, Payload.of(slice)));
  }

  private static Kind kind(Message message) {
    return ((Sum) message.body()).kind();
  }
}
