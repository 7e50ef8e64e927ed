package dev.braid.exchange.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Route;
import dev.braid.exchange.message.Share.Gradient;
import dev.braid.exchange.message.Transit;
import dev.braid.exchange.transport.Peer.Outgoing;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests one rank's knowledge of another: windows, acknowledgements, questions and routes. */
class PeerPropertiesTest {

  private static final long MILLIS = 1_000_000;
  private static final long NOTHING_BEYOND = 0;

  /** A window of four messages of 64 values; three of them are acknowledged at once. */
  private static final Window WINDOW = new Window(1024, 768, 48, 8 * MILLIS);

  private static final long FIRST_TIMEOUT = 200 * MILLIS;
  private static final int VALUES = 64;

  private final Peer peer = new Peer(1, WINDOW);
  private final List<float[]> released = new ArrayList<>();
  private final long start = 5_000 * MILLIS;

  // ---- the window ------------------------------------------------------------------------------

  @Test
  void asMuchIsUnderWayAsTheWindowSays() {
    assertThat(sendable(VALUES, VALUES, VALUES, VALUES, VALUES)).containsExactly(1L, 2L, 3L, 4L);
    peer.acknowledged(1, NOTHING_BEYOND, false, start);
    assertThat(next()).map(Outgoing::number).hasValue(5L);
  }

  @Test
  void aMessageThatIsLargerThanTheWindowGoesAlone() {
    assertThat(sendable(10 * VALUES, 1)).containsExactly(1L);
    peer.acknowledged(1, NOTHING_BEYOND, false, start);
    assertThat(next()).map(Outgoing::number).hasValue(2L);
  }

  /** The receiver can distinguish this many arrivals. */
  @Test
  void messagesWithoutValuesAreAsManyAsTheReceiverCanTellApart() {
    assertThat(sendable(new int[100])).hasSize(Arrivals.SPAN);
    peer.acknowledged(1, NOTHING_BEYOND, false, start);
    assertThat(next()).map(Outgoing::number).hasValue(Arrivals.SPAN + 1L);
    assertThat(next()).isEmpty();
  }

  // ---- acknowledgements of sent messages -------------------------------------------------------

  @Test
  void whatHasArrivedIsReleased_andWhatHasNotIsKept() {
    sendable(1, 1, 1, 1);
    // The first and the third message are acknowledged.
    assertThat(peer.acknowledged(1, 0b10, false, start)).isTrue();
    assertThat(released).hasSize(2);
    assertThat(peer.acknowledged(1, 0b10, false, start)).as("news").isFalse();
    assertThat(peer.acknowledged(4, NOTHING_BEYOND, false, start)).isTrue();
    assertThat(released).hasSize(4);
    assertThat(peer.deadlineNanos()).isEqualTo(Deadlines.NEVER);
  }

  @Test
  void timeoutsFollowRoundTrips() {
    assertThat(peer.timeoutNanos()).isEqualTo(FIRST_TIMEOUT);
    sendable(1);
    peer.acknowledged(1, NOTHING_BEYOND, false, start + 10 * MILLIS);
    // Mean 10 ms, deviation 5 ms.
    assertThat(peer.timeoutNanos()).isEqualTo(30 * MILLIS);
  }

  @Test
  void whatASearchHasBroughtIsNoRoundTrip() {
    sendable(1);
    peer.acknowledged(1, NOTHING_BEYOND, true, start + 10 * MILLIS);
    assertThat(peer.timeoutNanos()).isEqualTo(FIRST_TIMEOUT);
  }

  @Test
  void whatWasSentTwiceIsNoRoundTrip() {
    sendable(1);
    long question = peer.askAgain(start + FIRST_TIMEOUT);
    assertThat(peer.answered(question, start + FIRST_TIMEOUT + 10 * MILLIS)).isTrue();
    long afterAnswer = peer.timeoutNanos();
    assertThat(afterAnswer).as("of the question").isEqualTo(30 * MILLIS);
    assertThat(peer.lostBefore(question, start + FIRST_TIMEOUT)).hasSize(1);
    peer.acknowledged(1, NOTHING_BEYOND, false, start + 900 * MILLIS);
    assertThat(peer.timeoutNanos()).isEqualTo(afterAnswer);
  }

  @Test
  void lostIsWhatWasSentBeforeTheQuestion_andOnceForEachQuestion() {
    sendable(1, 1);
    long question = peer.askAgain(start + FIRST_TIMEOUT);
    sendable(1);
    assertThat(peer.lostBefore(question, start))
        .extracting(Outgoing::number)
        .containsExactly(1L, 2L);
    assertThat(peer.lostBefore(question, start)).isEmpty();
    long next = peer.askAgain(start);
    assertThat(peer.lostBefore(next, start))
        .allMatch(Outgoing::isResent)
        .extracting(Outgoing::number)
        .containsExactly(1L, 2L, 3L);
  }

  // ---- time-outs -------------------------------------------------------------------------------

  @Test
  void questionsAreAskedSoonAndThenLessAndLessOften() {
    sendable(1);
    assertThat(peer.deadlineNanos()).isEqualTo(start + FIRST_TIMEOUT);
    assertThat(peer.isOverdue(start + FIRST_TIMEOUT - 1)).isFalse();
    assertThat(peer.isOverdue(start + FIRST_TIMEOUT)).isTrue();
    long now = start + FIRST_TIMEOUT;
    for (long millis : new long[] {100, 200, 400, 800, 1000, 1000}) {
      peer.askAgain(now);
      assertThat(peer.deadlineNanos() - now).isEqualTo(millis * MILLIS);
      now = peer.deadlineNanos();
    }
    assertThat(peer.timeouts()).isEqualTo(6);
  }

  @Test
  void theIntervalOfQuestionsHasABoundHoweverManyThereWere() {
    for (int i = 0; i < 200; i++) {
      peer.askAgain(start);
      assertThat(peer.deadlineNanos() - start).isPositive().isLessThanOrEqualTo(1_000 * MILLIS);
    }
  }

  @Test
  void timeBeginsAnewWithEveryAnswer_asLongAsSomethingIsUnderWay() {
    sendable(1, 1);
    peer.acknowledged(1, NOTHING_BEYOND, false, start + 10 * MILLIS);
    assertThat(peer.deadlineNanos()).isEqualTo(start + 40 * MILLIS);
    peer.acknowledged(2, NOTHING_BEYOND, false, start + 20 * MILLIS);
    assertThat(peer.deadlineNanos()).isEqualTo(Deadlines.NEVER);
  }

  @Test
  void anAnswerCountsOnce_andNoneToWhatWasNotAsked() {
    long first = peer.askAgain(start);
    long second = peer.askAgain(start);
    assertThat(peer.answered(second + 1, start)).isFalse();
    assertThat(peer.timeouts()).isEqualTo(2);
    assertThat(peer.answered(second, start)).isTrue();
    assertThat(peer.timeouts()).isZero();
    assertThat(peer.answered(second, start)).isFalse();
    assertThat(peer.answered(first, start)).isFalse();
  }

  /** The time counts from the last question, not from the first. */
  @Test
  void onlyTheAnswerToTheLastQuestionIsARoundTrip() {
    long first = peer.askAgain(start);
    peer.askAgain(start + 300 * MILLIS);
    peer.answered(first, start + 310 * MILLIS);
    assertThat(peer.timeoutNanos()).isEqualTo(FIRST_TIMEOUT);
  }

  @Test
  void aRankIsLostWithoutAnAnswerForFourTimeoutsAndASecond() {
    sendable(1);
    assertThat(peer.isSilent(start + 1_000 * MILLIS - 1)).isFalse();
    assertThat(peer.isSilent(start + 1_000 * MILLIS)).isTrue();
    assertThat(peer.isSilent(start + 2_000 * MILLIS - 1)).as("again").isFalse();
    assertThat(peer.isSilent(start + 2_000 * MILLIS)).as("again").isTrue();
  }

  @Test
  void aRankThatIsSlowToAnswerIsLostLater() {
    sendable(1);
    peer.acknowledged(1, NOTHING_BEYOND, false, start + 500 * MILLIS);
    assertThat(peer.timeoutNanos()).isEqualTo(1_500 * MILLIS);
    long asked = start + 1_000 * MILLIS;
    peer.askAgain(asked);
    assertThat(peer.isSilent(asked + 6_000 * MILLIS - 1)).isFalse();
    assertThat(peer.isSilent(asked + 6_000 * MILLIS)).isTrue();
  }

  // ---- acknowledgements of received messages ---------------------------------------------------

  @Test
  void anAcknowledgementWaitsForCompany() {
    assertThat(arrives(1, 1)).isTrue();
    assertThat(peer.isAckDue(start + 8 * MILLIS - 1)).isFalse();
    assertThat(peer.isAckDue(start + 8 * MILLIS)).isTrue();
    assertThat(peer.deadlineNanos()).isEqualTo(start + 8 * MILLIS);
    peer.acknowledging();
    assertThat(peer.isAckDue(start + 60_000 * MILLIS)).isFalse();
  }

  @Test
  void asMuchAsTheWindowSaysIsAcknowledgedAtOnce() {
    arrives(1, VALUES);
    arrives(2, VALUES);
    assertThat(peer.isAckDue(start)).isFalse();
    arrives(3, VALUES);
    assertThat(peer.isAckDue(start)).isTrue();
    peer.acknowledging();
    arrives(4, VALUES);
    assertThat(peer.isAckDue(start)).as("the count restarts").isFalse();
  }

  @Test
  void aGapIsToldAtOnce() {
    assertThat(arrives(2, 1)).isTrue();
    assertThat(peer.isAckDue(start)).isTrue();
    assertThat(peer.arrivals().contiguous()).isZero();
    assertThat(peer.arrivals().beyond()).isEqualTo(0b10);
  }

  @Test
  void whatComesTwiceIsToldAtOnce_andIsNotNew() {
    arrives(1, 1);
    peer.acknowledging();
    assertThat(arrives(1, 1)).isFalse();
    assertThat(peer.isAckDue(start)).isTrue();
  }

  // ---- routes ----------------------------------------------------------------------------------

  @Test
  void aWayAroundIsTakenUntilTheLinkItselfAnswers() {
    assertThat(peer.nextHop(0)).isEqualTo(1);
    assertThat(peer.isSentDirectly()).isTrue();
    peer.take(Route.of(0, 2, 1), 20, start);
    assertThat(peer.nextHop(0)).isEqualTo(2);
    assertThat(peer.isSentDirectly()).isFalse();
    long probe = peer.probeDirectly(start);
    assertThat(peer.isAnswerToDirectProbe(probe)).isTrue();
    assertThat(peer.isAnswerToDirectProbe(probe - 1)).isFalse();
    assertThat(peer.isAnswerToDirectProbe(0)).isFalse();
    peer.take(Route.of(0, 1), 10, start);
    assertThat(peer.route()).isEqualTo(Route.DIRECT);
    assertThat(peer.isAnswerToDirectProbe(probe)).as("while the link is in use").isFalse();
    assertThat(peer.deadlineNanos()).isEqualTo(Deadlines.NEVER);
  }

  @Test
  void nothingIsSentDirectlyWhileSomethingWaits() {
    peer.enqueue(message(1));
    assertThat(peer.isSentDirectly()).isFalse();
    next();
    assertThat(peer.isSentDirectly()).isTrue();
  }

  @Test
  void theLinkItselfIsTriedLessAndLessOften() {
    peer.take(Route.of(0, 2, 1), 20, start);
    long now = start;
    for (long millis : new long[] {400, 800, 1000, 1000}) {
      assertThat(peer.isDirectProbeDue(now + millis * MILLIS - 1)).isFalse();
      now += millis * MILLIS;
      assertThat(peer.isDirectProbeDue(now)).isTrue();
      peer.probeDirectly(now);
    }
    for (int i = 0; i < 200; i++) {
      peer.probeDirectly(now);
      assertThat(peer.deadlineNanos()).isEqualTo(now + 1_000 * MILLIS);
    }
    // After another route around the link, the wait is the initial one again.
    peer.take(Route.of(0, 3, 1), 20, now);
    assertThat(peer.deadlineNanos()).isEqualTo(now + 400 * MILLIS);
  }

  @Test
  void ofAnswersToASearchTheCheaperWayIsTaken() {
    long search = peer.askAgain(start);
    assertThat(peer.isCheaper(search, 1)).as("than the link itself").isFalse();
    peer.take(Route.of(0, 2, 1), 20, start);
    assertThat(peer.isCheaper(search, 19)).as("before it is answered").isFalse();
    peer.answered(search, start);
    assertThat(peer.isCheaper(search, 20)).isFalse();
    assertThat(peer.isCheaper(search, 19)).isTrue();
    assertThat(peer.isCheaper(search + 1, 19)).isFalse();
  }

  @Test
  void ofThePeersSearchesTheLatestTellsTheWay_andOfItsAnswersTheCheapest() {
    assertThat(peer.isBetter(1, 20)).isTrue();
    peer.take(Route.of(0, 2, 1), 20, start);
    assertThat(peer.isBetter(1, 20)).isFalse();
    assertThat(peer.isBetter(1, 19)).isTrue();
    assertThat(peer.isBetter(3, 30)).isTrue();
    assertThat(peer.isBetter(2, 1)).as("an older search").isFalse();
    peer.take(Route.DIRECT, 10, start);
    assertThat(peer.isBetter(3, 1)).as("than the link itself").isFalse();
  }

  // ---- restart ---------------------------------------------------------------------------------

  @Test
  void whatIsForgottenIsReleased_andNumbersBeginAnew() {
    sendable(VALUES, VALUES, VALUES, VALUES, VALUES);
    arrives(1, VALUES);
    arrives(3, VALUES);
    peer.restart();
    assertThat(released).hasSize(5);
    assertThat(peer.isSentDirectly()).as("nothing waits").isTrue();
    assertThat(peer.arrivals().contiguous()).isZero();
    assertThat(peer.deadlineNanos()).isEqualTo(Deadlines.NEVER);
    assertThat(arrives(1, VALUES)).isTrue();
    assertThat(peer.isAckDue(start)).as("bytes of before").isFalse();
    assertThat(sendable(VALUES, VALUES, VALUES, VALUES, VALUES)).containsExactly(1L, 2L, 3L, 4L);
  }

  @Test
  void anotherViewBeginsWithoutDoubts_andAPauseDoesNot() {
    sendable(1);
    peer.askAgain(start + FIRST_TIMEOUT);
    peer.restartAfter(100 * MILLIS);
    assertThat(peer.timeouts()).isEqualTo(1);
    assertThat(peer.isSilent(start + 1_100 * MILLIS - 1)).isFalse();
    peer.restart();
    assertThat(peer.timeouts()).isZero();
    assertThat(peer.isSilent(start + 60_000 * MILLIS)).isFalse();
  }

  // ----------------------------------------------------------------------------------------------

  /**
   * Enqueues messages with these numbers of values; returns the numbers of those that may be sent
   * at once.
   */
  private List<Long> sendable(int... values) {
    for (int count : values) {
      peer.enqueue(message(count));
    }
    List<Long> numbers = new ArrayList<>();
    for (Optional<Outgoing> next = next(); next.isPresent(); next = next()) {
      numbers.add(next.get().number());
    }
    return numbers;
  }

  private Optional<Outgoing> next() {
    return peer.nextToSend(start);
  }

  private Message message(int values) {
    float[] array = new float[values];
    Payload payload = Payload.of(Slice.lent(array, 0, values, released::add));
    return new Message(0, 1, 0, new Gradient(Range.ofLength(values), 1, payload));
  }

  private boolean arrives(long number, int values) {
    Transit transit = new Transit(0, number, 0, Route.DIRECT);
    return peer.arrived(new Message(0, 1, 0, transit, message(values).body()), start);
  }
}
