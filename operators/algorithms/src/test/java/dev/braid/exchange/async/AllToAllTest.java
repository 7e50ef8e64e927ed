package dev.braid.exchange.async;

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
import dev.braid.exchange.message.Share.Missed;
import dev.braid.exchange.transport.Flight;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests all-to-all, and with it the common behaviour of all asynchronous exchanges. */
class AllToAllTest {

  private static final int LENGTH = 12;

  private final RecordingPort port = new RecordingPort();

  @Test
  void ownGradientIsAppliedAtOnce_andSentToAll() {
    AllToAll exchange = exchange(3, LENGTH, 1);
    exchange.contribute(gradient(0, 5, 2));

    Update.GradientSum own = port.takeSums().get(0);
    assertThat(own.range()).isEqualTo(Range.ofLength(LENGTH));
    assertThat(own.samples()).as("three gradients of ten samples make a step").isEqualTo(30);
    assertThat(port.takeSent()).extracting(Message::to).containsExactly(2, 0);
    assertThat(exchange.completedRounds()).isEqualTo(1);
  }

  @Test
  void anothersGradientIsApplied_andAnsweredByNothing() {
    AllToAll exchange = exchange(3, LENGTH, 1);
    exchange.receive(gradientFrom(2, 0, new Range(4, 6), 7));

    Update.GradientSum update = port.takeSums().get(0);
    assertThat(update.range()).isEqualTo(new Range(4, 6));
    assertThat(update.values().toArray()).containsExactly(7, 7);
    assertThat(port.takeSent()).as("a transport tells that it has come").isEmpty();
  }

  /** Four of twelve chunks of one element are in flight; eight wait here, in a copy. */
  @Test
  void aLinkThatIsBehindKeepsTheRankFromComputing() {
    AllToAll exchange = exchange(2, 1, 5);
    Contribution local = gradient(0, 5, 1);
    exchange.contribute(local);
    assertThat(port.takeSent()).hasSize(Flight.LEAST);
    assertThat(exchange.mayCompute()).isFalse();
    local.gradient()[11] = 100;

    for (int chunk = Flight.LEAST; chunk < LENGTH; chunk++) {
      exchange.arrived(messageTo(0));
      List<Message> sent = port.takeSent();
      assertThat(sent).hasSize(1);
      assertThat(sent.get(0).range()).isEqualTo(new Range(chunk, chunk + 1));
      assertThat(sent.get(0).payload().dense().toArray()).containsExactly(5);
    }
    assertThat(exchange.mayCompute()).isTrue();
    assertThat(exchange.isQuiet()).isFalse();
    for (int i = 0; i < Flight.LEAST; i++) {
      exchange.arrived(messageTo(0));
    }
    assertThat(exchange.isQuiet()).isTrue();
  }

  /** Algorithm 1, line 3, with p = 1 and τ = 1. */
  @Test
  void noGradientBeyondTheStalenessBound() {
    AllToAll exchange = exchange(2, LENGTH, 1);
    for (int round = 0; round < 3; round++) {
      assertThat(exchange.mayCompute()).as("round %d", round).isTrue();
      exchange.contribute(gradient(round, 1, 1));
    }
    assertThat(exchange.mayCompute()).isFalse();
    exchange.receive(gradientFrom(0, 0, Range.ofLength(LENGTH), 1));
    assertThat(exchange.mayCompute()).isTrue();
  }

  /**
   * Four chunks of the first gradient are in flight to rank 0; it misses eight chunks, and a second
   * gradient.
   */
  @Test
  void aPeerThatHasLeft_isNotWaitedFor_andIsSentTheSumWhenItIsBack() {
    AllToAll exchange = exchange(3, 1, 1);
    exchange.contribute(gradient(0, 5, 1));
    exchange.absent(0);
    assertThat(exchange.absentRanks()).containsExactly(0);
    acknowledgeAll(exchange, 2);
    assertThat(exchange.mayCompute()).isTrue();
    exchange.contribute(gradient(1, 7, 2));
    acknowledgeAll(exchange, 2);
    exchange.flush();
    assertThat(exchange.isQuiet()).isFalse();

    exchange.back(0);
    assertThat(exchange.absentRanks()).isEmpty();
    float[] received = new float[LENGTH];
    for (int i = 0; i < Flight.LEAST; i++) {
      received[i] = 5;
      exchange.arrived(messageTo(0));
    }
    List<Message> sent = acknowledgeAll(exchange, 0);
    assertThat(sent)
        .filteredOn(message -> !message.range().isEmpty())
        .hasSize(LENGTH)
        .allMatch(message -> ((Missed) message.body()).samples() == 3);
    assertThat(sent).last().extracting(Message::body).isInstanceOf(Gradient.class);
    addUp(sent, received);
    assertThat(received).containsOnly(12);
    assertThat(exchange.isQuiet()).isTrue();
  }

  @Test
  void aRankThatIsQuiet_tellsAPeerThatIsBackItsRound_andNothingElse() {
    AllToAll exchange = exchange(3, LENGTH, 1);
    exchange.contribute(gradient(0, 5, 1));
    port.takeSent().forEach(exchange::arrived);
    exchange.absent(0);
    exchange.flush();
    assertThat(exchange.isQuiet()).isTrue();

    exchange.back(0);
    assertThat(exchange.isQuiet()).isFalse();
    Message told = port.takeSent().get(0);
    assertThat(told.round()).isZero();
    assertThat(told.range()).isEqualTo(Range.EMPTY);
    exchange.arrived(told);
    assertThat(exchange.isQuiet()).isTrue();
    assertThat(port.takeSent()).isEmpty();
  }

  /**
   * The peer is not waited for while it is absent; after its return, it counts as if it had kept
   * step.
   */
  @Test
  void aPeerThatIsBack_isWaitedForAgain() {
    AllToAll exchange = exchange(2, LENGTH, 1);
    exchange.absent(0);
    for (int round = 0; round < 10; round++) {
      assertThat(exchange.mayCompute()).isTrue();
      exchange.contribute(gradient(round, 1, 1));
    }
    exchange.back(0);
    for (int round = 10; round < 13; round++) {
      assertThat(exchange.mayCompute()).as("round %d", round).isTrue();
      exchange.contribute(gradient(round, 1, 1));
      acknowledgeAll(exchange, 0);
    }
    assertThat(exchange.mayCompute()).isFalse();
    assertThat(exchange.awaitsOthers()).isTrue();
    exchange.receive(gradientFrom(0, 0, Range.ofLength(LENGTH), 1));
    assertThat(exchange.mayCompute()).isTrue();
  }

  /** Four of twelve chunks are in flight when the peer leaves again: eight are still missed. */
  @Test
  void whatWasMissedMayBeMissedAgain() {
    AllToAll exchange = exchange(2, 1, 1);
    exchange.absent(0);
    exchange.contribute(gradient(0, 3, 1));
    assertThat(port.takeSent()).isEmpty();
    exchange.back(0);
    exchange.contribute(gradient(1, 4, 1));
    float[] received = new float[LENGTH];
    List<Message> first = port.takeSent();
    assertThat(first).hasSize(Flight.LEAST);
    addUp(first, received);
    exchange.absent(0);
    assertThat(exchange.unreachable()).containsExactly(0);
    exchange.back(0);
    assertThat(exchange.unreachable()).isEmpty();
    for (int i = 0; i < Flight.LEAST; i++) {
      exchange.arrived(messageTo(0));
    }
    addUp(acknowledgeAll(exchange, 0), received);
    assertThat(received).containsOnly(7);
    assertThat(exchange.isQuiet()).isTrue();
  }

  /** The peer does not learn of the round earlier, because it would continue to compute. */
  @Test
  void aPeerThatIsBack_isSentWhatItHasMissedAtOnce_andThenTheRound() {
    AllToAll exchange = exchange(2, 4, 1);
    exchange.absent(0);
    exchange.contribute(gradient(0, 3, 1));
    exchange.contribute(gradient(1, 4, 1));
    exchange.back(0);
    List<Message> sent = port.takeSent();
    assertThat(sent)
        .extracting(Message::range)
        .containsExactly(new Range(0, 4), new Range(4, 8), new Range(8, 12), Range.EMPTY);
    assertThat(sent.subList(0, 3)).allMatch(message -> message.body() instanceof Missed);
    assertThat(sent.get(3).round()).isEqualTo(1);
  }

  /** The part of a gradient for chunks that were sent earlier follows in another pass. */
  @Test
  void whatIsComputedWhileAPeerCatchesUp_reachesItOnce_andHoldsUpTheNext() {
    AllToAll exchange = exchange(2, 1, 5);
    exchange.absent(0);
    exchange.contribute(gradient(0, 3, 1));
    exchange.back(0);
    assertThat(exchange.mayCompute()).isTrue();
    exchange.contribute(gradient(1, 4, 2));
    float[] received = new float[LENGTH];
    for (int chunk = 0; chunk < LENGTH; chunk++) {
      List<Message> sent = port.takeSent();
      addUp(sent, received);
      sent.forEach(message -> assertThat(message.body()).isInstanceOf(Missed.class));
      exchange.arrived(messageTo(0));
    }
    assertThat(exchange.mayCompute()).as("in the second pass").isFalse();
    for (int i = 1; i < Flight.LEAST; i++) {
      exchange.arrived(messageTo(0));
    }
    List<Message> rest = acknowledgeAll(exchange, 0);
    addUp(rest, received);
    assertThat(received).containsOnly(7);
    assertThat(rest.get(rest.size() - 1).body()).isInstanceOf(Gradient.class);
    assertThat(exchange.mayCompute()).isTrue();
    exchange.contribute(gradient(2, 5, 1));
    assertThat(port.takeSent()).extracting(AllToAllTest::firstValue).containsOnly(5f);
  }

  @Test
  void whatAPeerHasMissed_isAppliedAtOnce_andTellsNoRound() {
    AllToAll exchange = exchange(2, LENGTH, 1);
    for (int round = 0; round < 3; round++) {
      exchange.contribute(gradient(round, 1, 1));
    }
    port.takeSums();
    Range range = new Range(4, 6);
    Payload values = Payload.view(new float[LENGTH], range);
    exchange.receive(new Message(0, 1, 9, new Missed(range, 25, values)));
    Update.GradientSum update = port.takeSums().get(0);
    assertThat(update.range()).isEqualTo(range);
    assertThat(exchange.mayCompute()).isFalse();
    exchange.receive(gradientFrom(0, 9, Range.ofLength(LENGTH), 1));
    assertThat(exchange.mayCompute()).isTrue();
  }

  private static float firstValue(Message message) {
    return message.payload().dense().toArray()[0];
  }

  private static void addUp(List<Message> sent, float[] received) {
    for (Message message : sent) {
      if (!message.range().isEmpty()) {
        received[message.range().start()] += firstValue(message);
      }
    }
  }

  /** Lets a peer acknowledge all its messages, including those that follow; returns all of them. */
  private List<Message> acknowledgeAll(AllToAll exchange, int peer) {
    List<Message> all = new ArrayList<>();
    List<Message> sent = port.takeSent();
    while (!sent.isEmpty()) {
      for (Message message : sent) {
        if (message.to() == peer) {
          all.add(message);
          exchange.arrived(message);
        }
      }
      sent = port.takeSent();
    }
    return all;
  }

  @Test
  void withoutSamples_onlyTheRoundIsTold() {
    AllToAll exchange = exchange(2, LENGTH, 1);
    exchange.contribute(gradient(0, 0, 0));
    assertThat(port.takeSums()).isEmpty();
    List<Message> sent = port.takeSent();
    assertThat(sent).hasSize(1);
    assertThat(sent.get(0).payload().length()).isZero();
  }

  @Test
  void refusesWhatCannotBe() {
    AllToAll exchange = exchange(2, LENGTH, 1);
    assertThatThrownBy(() -> exchange.contribute(gradient(3, 1, 1)))
        .hasMessageContaining("round 3: must be 12 elements for round 0");
    assertThatThrownBy(() -> exchange.arrived(messageTo(0)))
        .hasMessageContaining("a message has arrived at rank 0, but none is in flight to it");
  }

  /** Returns the exchange of rank 1. */
  private AllToAll exchange(int ranks, int chunkLength, int staleness) {
    return new AllToAll(
        new ExchangeConfig(
            1,
            ranks,
            LENGTH,
            chunkLength,
            0,
            ExchangeOptions.defaults(ranks)
                .withBatch(10)
                .with(ExchangeOptions.STALENESS, staleness)),
        port);
  }

  private static Contribution gradient(long round, float value, long samples) {
    float[] gradient = new float[LENGTH];
    Arrays.fill(gradient, value);
    return new Contribution(round, gradient, samples);
  }

  private static Message gradientFrom(int from, long round, Range range, float value) {
    float[] values = new float[range.length()];
    Arrays.fill(values, value);
    Payload payload = Payload.of(Slice.view(values, 0, values.length));
    return new Message(from, 1, round, new Gradient(range, 1, payload));
  }

  private static Message messageTo(int peer) {
    return new Message(1, peer, 0, new Gradient(Range.EMPTY, 0, Payload.none()));
  }
}
