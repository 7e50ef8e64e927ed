package dev.braid.exchange.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.message.LinkControl.Acknowledgement;
import dev.braid.exchange.message.LinkControl.Probe;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Share.Gradient;
import dev.braid.exchange.message.Transit;
import dev.braid.vector.Range;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Tests that messages arrive once, whatever links lose and repeat, and which ranks are informed of
 * it, and how often.
 */
class TransportTest extends ThreeRanks {

  // ---- lost and repeated messages --------------------------------------------------------------

  @Test
  void whatIsAcknowledgedByWhatComesBack_needsNoMessageForThat() {
    nodes.get(0).send(1, 0);
    deliverAll();
    nodes.get(1).send(0, 0);
    deliverAll();
    pass(7);
    assertThat(sent).hasSize(2);
    assertThat(nodes.get(0).released).isEqualTo(1);
    // No message goes back for the second.
    pass(100);
    assertThat(sent).hasSize(3);
    assertThat(sent.get(2).body()).isInstanceOf(Acknowledgement.class);
    assertThat(nodes.get(1).released).isEqualTo(1);
    pass(10_000);
    assertThat(sent).hasSize(3);
  }

  @Test
  void whatIsLostIsSentAgain_andNothingElse() {
    isLost = message -> message.body() instanceof Gradient && message.round() == 1;
    send(0, 1, 0, 1, 2);
    isLost = message -> false;
    pass(1_000);
    assertThat(nodes.get(1).delivered).containsExactlyInAnyOrder(0L, 1L, 2L);
    assertThat(nodes.get(0).sentAgain).isEqualTo(1);
    assertThat(gradients()).hasSize(4);
    assertThat(nodes.get(0).released).isEqualTo(3);
    assertThat(nodes.get(0).silentAtMillis).isEmpty();
  }

  @Test
  void thatSomethingIsMissingIsToldAtOnce() {
    isLost = message -> message.body() instanceof Gradient && message.round() == 0;
    send(0, 1, 0, 1);
    assertThat(sent)
        .filteredOn(message -> message.body() instanceof Acknowledgement)
        .singleElement()
        .satisfies(message -> assertThat(message.transit().acknowledged()).isZero())
        .extracting(Message::body)
        .isEqualTo(new Acknowledgement(0b10));
  }

  @Test
  void whatHasComeIsAcknowledgedWhereTheReceiverWantsIt() {
    send(0, 1, 0);
    nodes.get(1).transport.acknowledge(0);
    deliverAll();
    assertThat(nodes.get(0).released).isEqualTo(1);
    pass(1_000);
    assertThat(sent).hasSize(2);
  }

  @Test
  void whatComesTwiceIsDeliveredOnce() {
    copies = 2;
    send(0, 1, 0, 1, 2);
    pass(1_000);
    assertThat(nodes.get(1).delivered).containsExactly(0L, 1L, 2L);
    assertThat(nodes.get(0).sentAgain).isZero();
  }

  @Test
  void whatIsOnlyLateIsNotSentAgain() {
    isLost = message -> message.body() instanceof Acknowledgement;
    send(0, 1, 0);
    pass(150);
    isLost = message -> false;
    pass(1_000);
    assertThat(gradients()).hasSize(1);
    assertThat(sent).anyMatch(message -> message.body() instanceof Probe);
    assertThat(nodes.get(0).released).isEqualTo(1);
  }

  @Test
  void noMoreIsUnderWayThanTheWindowSays() {
    isLost = message -> message.to() == 1;
    send(0, 1, 0, 1, 2, 3, 4, 5);
    assertThat(gradients()).hasSize(4);
    isLost = message -> false;
    pass(2_000);
    assertThat(nodes.get(1).delivered).containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 4L, 5L);
    assertThat(nodes.get(0).released).isEqualTo(6);
  }

  // ---- number of acknowledgements --------------------------------------------------------------

  /** The bytes fill three quarters of the window. */
  @Test
  void whatComesIsAcknowledgedBeforeItsSenderHasToWait_andNotEachForItself() {
    send(0, 1, LongStream.range(0, 30).toArray());
    assertThat(nodes.get(1).delivered).hasSize(30);
    assertThat(acknowledgements()).hasSize(10);
  }

  /** Bytes never fill the window: as many messages are in flight as can be distinguished. */
  @Test
  void messagesWithoutValuesAreAcknowledgedBeforeTheirSenderHasToWait() {
    for (int round = 0; round < 3 * Arrivals.SPAN; round++) {
      nodes.get(0).transport.handOver(withoutValues(round, Transit.NONE));
    }
    deliverAll();
    assertThat(nodes.get(1).delivered).hasSize(3 * Arrivals.SPAN);
    assertThat(acknowledgements()).hasSize(4);
  }

  /** No time passes. */
  @Test
  void theLastForNowIsAcknowledgedAtOnce() {
    send(0, 1, 0);
    assertThat(acknowledgements()).isEmpty();
    nodes.get(0).transport.handOver(withoutValues(1, Transit.LAST));
    deliverAll();
    assertThat(acknowledgements()).hasSize(1);
    assertThat(nodes.get(0).arrived).containsExactly(0L, 1L);
  }

  @Test
  void thatTheLastHasComeIsTold_thoughItAndTheAnswerWereLost() {
    isLost = message -> true;
    nodes.get(0).transport.handOver(withoutValues(0, Transit.LAST));
    nodes.get(0).transport.arm();
    pass(100);
    isLost = message -> message.body() instanceof Acknowledgement && sent.size() < 8;
    pass(3_000);
    assertThat(nodes.get(1).delivered).containsExactly(0L);
    assertThat(nodes.get(0).arrived).containsExactly(0L);
  }

  /** No rank waits for the messages that were in flight at that time. */
  @Test
  void whatHasArrivedIsToldOnce_andNotOfWhatWasRolledBack() {
    copies = 2;
    send(0, 1, 0, 1);
    pass(100);
    assertThat(nodes.get(0).arrived).containsExactly(0L, 1L);
    copies = 1;
    isLost = message -> true;
    send(0, 1, 2);
    isLost = message -> false;
    nodes.get(0).transport.rollBack();
    nodes.get(1).transport.rollBack();
    nodes.get(0).transport.resume();
    send(0, 1, 3);
    pass(100);
    assertThat(nodes.get(0).arrived).containsExactly(0L, 1L, 3L);
    assertThat(nodes.get(1).delivered).containsExactly(0L, 1L, 3L);
  }

  private Message withoutValues(long round, Transit transit) {
    return new Message(0, 1, round, transit, new Gradient(Range.EMPTY, 0, Payload.none()));
  }

  private List<Message> acknowledgements() {
    return sent.stream().filter(message -> message.body() instanceof Acknowledgement).toList();
  }
}
