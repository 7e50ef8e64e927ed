package dev.braid.exchange.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.message.LinkControl.Acknowledgement;
import dev.braid.exchange.message.LinkControl.Find;
import dev.braid.exchange.message.LinkControl.Probe;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.vector.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Tests routes around links that are cut, ranks that no route leads to, and messages that do not
 * count any more.
 */
class TransportRoutesTest extends ThreeRanks {

  // ---- routes ----------------------------------------------------------------------------------

  @Test
  void whereALinkIsCutMessagesGoAround_untilItIsWhole() {
    isLost = between(0, 1);
    send(0, 1, 0);
    pass(299);
    assertThat(nodes.get(1).delivered).isEmpty();
    // The second question, half a time-out after the first, is a search.
    pass(1);
    assertThat(nodes.get(1).delivered).containsExactly(0L);
    pass(1_000);
    assertThat(nodes.get(0).transport.isDirect(1)).isFalse();
    assertThat(nodes.get(0).released).isEqualTo(1);
    assertThat(sent).anyMatch(message -> message.body() instanceof Find);

    sent.clear();
    send(0, 1, 1);
    assertThat(gradients()).extracting(Message::to).containsExactly(2, 1);
    send(1, 0, 1);
    assertThat(nodes.get(0).delivered).containsExactly(1L);

    isLost = message -> false;
    pass(2_000);
    assertThat(nodes.get(0).transport.isDirect(1)).isTrue();
    assertThat(nodes.get(1).transport.isDirect(0)).isTrue();
    sent.clear();
    send(0, 1, 2);
    assertThat(gradients()).hasSize(1);
    pass(5_000);
    assertThat(nodes.get(1).delivered).containsExactly(0L, 1L, 2L);
    assertThat(nodes.get(2).delivered).isEmpty();
  }

  /** The answer takes so long that the link is cut again when it arrives. */
  @Test
  void whatALateAnswerToAProbeSaysIsFoundToBeWrong() {
    isLost = between(0, 1);
    send(0, 1, 0);
    pass(1_000);
    assertThat(nodes.get(0).transport.isDirect(1)).isFalse();
    List<Message> late = new ArrayList<>();
    isLost =
        message -> {
          boolean isLate = isAnswer(message) && message.to() == 0;
          if (isLate) {
            late.add(message);
          }
          return isLate;
        };
    pass(1_000);
    isLost = between(0, 1);
    assertThat(late).isNotEmpty();
    pass(3_000);
    late.forEach(nodes.get(0).transport::receive);
    deliverAll();
    assertThat(nodes.get(0).transport.isDirect(1)).as("by the late answer").isTrue();

    send(0, 1, 1);
    pass(1_000);
    assertThat(nodes.get(1).delivered).containsExactly(0L, 1L);
    assertThat(nodes.get(0).transport.isDirect(1)).isFalse();
    late.forEach(nodes.get(0).transport::receive);
    deliverAll();
    send(0, 1, 2);
    pass(1_000);
    assertThat(nodes.get(1).delivered).containsExactly(0L, 1L, 2L);
  }

  private static boolean isAnswer(Message message) {
    return message.body() instanceof Acknowledgement && message.transit().number() > 0;
  }

  /** The answer to a search lists the messages that have arrived. */
  @Test
  void whereOnlyAcknowledgementsAreLostNothingIsSentAgain() {
    isLost = message -> message.from() == 1 && message.to() == 0;
    send(0, 1, 0, 1);
    pass(2_000);
    assertThat(nodes.get(1).delivered).containsExactly(0L, 1L);
    assertThat(nodes.get(0).released).isEqualTo(2);
    assertThat(gradients()).hasSize(2);
    assertThat(nodes.get(0).silentAtMillis).isEmpty();
  }

  /** The rank's messages arrive at once, and the answers take another route. */
  @Test
  void whereALinkIsCutOneWay_onlyThatWayGoesAround() {
    isLost = message -> message.from() == 1 && message.to() == 0;
    send(0, 1, 0);
    assertThat(nodes.get(1).delivered).containsExactly(0L);
    send(1, 0, 0);
    pass(1_000);
    assertThat(nodes.get(0).delivered).containsExactly(0L);
    assertThat(nodes.get(1).transport.isDirect(0)).isFalse();
    assertThat(nodes.get(0).released).isEqualTo(1);
    assertThat(nodes.get(1).released).isEqualTo(1);
    assertThat(nodes.get(1).delivered).containsExactly(0L);
  }

  @Test
  void whoHasTheValuesAnywayPutsThemIn() {
    isLost = between(0, 1);
    send(0, 1, 0);
    pass(1_000);
    nodes.forEach(
        node -> node.known = Optional.of(Payload.view(new float[VALUES], Range.ofLength(VALUES))));
    sent.clear();
    send(0, 1, 1);
    assertThat(gradients())
        .extracting(message -> message.payload().length())
        .containsExactly(0, VALUES);
    assertThat(nodes.get(1).delivered).containsExactly(0L, 1L);
  }

  /** The message counts as lost, and is sent again with its values. */
  @Test
  void whereTheyAreNotThere_itIsSentAgainWithThem() {
    isLost = between(0, 1);
    send(0, 1, 0);
    pass(1_000);
    nodes.get(0).known = Optional.of(Payload.none());
    send(0, 1, 1);
    assertThat(nodes.get(1).delivered).containsExactly(0L);
    pass(1_000);
    assertThat(nodes.get(1).delivered).containsExactly(0L, 1L);
  }

  // ---- unreachable ranks -----------------------------------------------------------------------

  @Test
  void whoDoesNotAnswerIsLost_afterASecond_andAgainAfterEach() {
    isLost = message -> message.from() == 1 || message.to() == 1;
    send(0, 1, 0);
    long sentAt = now / MILLIS;
    pass(5_000);
    List<Long> told = nodes.get(0).silentAtMillis;
    assertThat(told.get(0) - sentAt).isBetween(1_000L, 2_000L);
    assertThat(told).hasSizeBetween(3, 5);
    assertThat(nodes.get(0).transport.hears(1)).isFalse();
    assertThat(nodes.get(0).transport.hears(2)).isTrue();
    assertThat(gradients()).as("data on a link in doubt").hasSize(1);

    isLost = message -> false;
    pass(2_000);
    assertThat(nodes.get(1).delivered).containsExactly(0L);
    assertThat(nodes.get(0).transport.hears(1)).isTrue();
  }

  @Test
  void whoIsCalledAnswers_andIsAskedOnceAtATime() {
    Transport transport = nodes.get(0).transport;
    isLost = message -> message.to() == 1;
    transport.call(1);
    transport.call(1);
    assertThat(sent).singleElement().matches(message -> message.body() instanceof Probe);
    assertThat(transport.hears(1)).isFalse();
    isLost = message -> false;
    transport.arm();
    pass(1_000);
    assertThat(transport.hears(1)).isTrue();
  }

  // ---- roll-back -------------------------------------------------------------------------------

  @Test
  void whatComesWhileRolledBackDoesNotCount_andIsForgottenWithTheNextNumbers() {
    isLost = message -> message.round() == 1;
    send(0, 1, 0, 1);
    nodes.forEach(node -> node.transport.rollBack());
    isLost = message -> false;
    pass(1_000);
    assertThat(nodes.get(1).delivered).as("sent again, and void").containsExactly(0L);
    int before = nodes.get(0).transport.generation();

    nodes.get(0).transport.resume();
    assertThat(nodes.get(0).transport.generation()).isEqualTo(before + 1);
    send(0, 1, 7);
    assertThat(nodes.get(1).transport.generation()).as("with its message").isEqualTo(before + 1);
    assertThat(nodes.get(1).delivered).containsExactly(0L, 7L);
    assertThat(nodes.get(0).released).isGreaterThanOrEqualTo(2);
  }

  @Test
  void everyRollBackIsAnotherGeneration_thoughNothingWasSentBetween() {
    Transport transport = nodes.get(0).transport;
    transport.rollBack();
    transport.rollBack();
    transport.resume();
    transport.resume();
    assertThat(transport.generation()).isEqualTo(2);
  }

  @Test
  void aPauseIsNoSilence() {
    isLost = message -> true;
    send(0, 1, 0);
    nodes.forEach(node -> node.transport.rollBack());
    now += 60_000 * MILLIS;
    nodes.forEach(node -> node.transport.resume());
    assertThat(nodes.get(0).released).as("what is given up").isEqualTo(1);
    send(0, 1, 1);
    pass(900);
    assertThat(nodes.get(0).silentAtMillis).isEmpty();
    pass(2_000);
    assertThat(nodes.get(0).silentAtMillis).isNotEmpty();
  }

  @Test
  void whatWasSentInAnotherViewDoesNotCount() {
    nodes.get(0).send(1, 0);
    nodes.get(1).transport.enter(1, new int[] {0, 2});
    deliverAll();
    assertThat(nodes.get(1).delivered).isEmpty();
    nodes.get(0).transport.enter(1, new int[] {1, 2});
    assertThat(nodes.get(0).released).as("what is given up").isEqualTo(1);
    send(0, 1, 5);
    pass(1_000);
    assertThat(nodes.get(1).delivered).containsExactly(5L);
    assertThat(nodes.get(0).sentAgain).isZero();
  }

  @Test
  void theSlowestTimeoutIsThatOfTheSlowestPeer() {
    assertThat(nodes.get(0).transport.slowestTimeoutNanos()).isZero();
    send(0, 1, 0);
    assertThat(nodes.get(0).transport.slowestTimeoutNanos()).isEqualTo(200 * MILLIS);
    pass(100);
    assertThat(nodes.get(0).transport.slowestTimeoutNanos()).isEqualTo(RoundTrip.MIN_TIMEOUT_NANOS);
  }
}
