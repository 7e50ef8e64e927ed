package dev.braid.exchange.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Route;
import dev.braid.exchange.message.Sum;
import dev.braid.vector.Range;
import org.junit.jupiter.api.Test;

/** Tests one rank's knowledge of another. */
class PeerTest {

  private static final long MILLIS = 1_000_000;
  private static final Window WINDOW = new Window(1024, 768, 48, 8 * MILLIS);
  private static final long NOTHING_BEYOND = 0;

  private final Peer peer = new Peer(1, WINDOW);
  private long nowNanos = 7 * MILLIS;

  @Test
  void aPeerThatNeverAnswersIsLostAfterASecondOrTwo() {
    send();
    assertThat(millisUntilLost(10_000)).isBetween(1_000L, 2_000L);
    assertThat(peer.isSilent(nowNanos)).as("said again at once").isFalse();
  }

  /** The first time-out takes four times as long as the time between two roll-backs. */
  @Test
  void aPeerIsLostThoughRollBacksComeSoonerThanTimeouts() {
    long lost = 0;
    for (int checkpoint = 0; checkpoint < 100 && lost == 0; checkpoint++) {
      send();
      lost = millisUntilLost(50);
      peer.restartAfter(0);
    }
    assertThat(lost).isPositive();
  }

  @Test
  void aPauseIsNotSilence() {
    send();
    pass(20);
    pass(60_000);
    peer.restartAfter(60_000 * MILLIS);
    send();
    assertThat(peer.isOverdue(nowNanos)).isFalse();
    assertThat(millisUntilLost(10_000)).isGreaterThan(900L);
  }

  @Test
  void anAnswerEndsTheDoubt() {
    send();
    pass(900);
    assertThat(peer.isOverdue(nowNanos)).isTrue();
    peer.askAgain(nowNanos);
    peer.acknowledged(1, NOTHING_BEYOND, false, nowNanos);
    assertThat(peer.timeouts()).isZero();
    peer.restartAfter(0);
    pass(60_000);
    send();
    assertThat(peer.isOverdue(nowNanos)).isFalse();
    assertThat(millisUntilLost(900)).isZero();
  }

  /** Answers take the peer's own route, possibly for longer than until the next probe. */
  @Test
  void anAnswerToAnEarlierProbeSaysThatTheLinkWorks() {
    peer.take(Route.of(0, 2, 1), 1, nowNanos);
    long first = peer.probeDirectly(nowNanos);
    long onTheWay = peer.askAgain(nowNanos);
    pass(1000);
    long second = peer.probeDirectly(nowNanos);
    assertThat(peer.isAnswerToDirectProbe(first)).isTrue();
    assertThat(peer.isAnswerToDirectProbe(onTheWay)).isFalse();
    assertThat(peer.isAnswerToDirectProbe(second)).isTrue();
    assertThat(peer.isAnswerToDirectProbe(second + 1)).as("never asked").isFalse();
    assertThat(peer.isAnswerToDirectProbe(0)).as("said unasked").isFalse();
    peer.take(Route.of(0, 1), 1, nowNanos);
    assertThat(peer.isAnswerToDirectProbe(second)).as("in use already").isFalse();
  }

  /** Otherwise the next failure would be found seconds late. */
  @Test
  void anAnswerToAProbeTellsHowLongThatTook_andNotSinceAnotherQuestion() {
    peer.take(Route.of(0, 2, 1), 1, nowNanos);
    send();
    pass(200);
    peer.askAgain(nowNanos);
    pass(900);
    long probe = peer.probeDirectly(nowNanos);
    pass(10);
    assertThat(peer.answered(probe, nowNanos)).isTrue();
    assertThat(peer.timeoutNanos()).isLessThan(100 * MILLIS);
  }

  @Test
  void questionsOfLongAgoAreForgotten() {
    peer.take(Route.of(0, 2, 1), 1, nowNanos);
    long first = peer.probeDirectly(nowNanos);
    for (int i = 0; i < 1000; i++) {
      peer.askAgain(nowNanos);
    }
    assertThat(peer.isAnswerToDirectProbe(first)).isFalse();
    assertThat(peer.isAnswerToDirectProbe(peer.probeDirectly(nowNanos))).isTrue();
  }

  private void send() {
    peer.enqueue(new Message(0, 1, 0, Sum.partial(Range.EMPTY, 1, Payload.none())));
    assertThat(peer.nextToSend(nowNanos)).isPresent();
  }

  private void pass(long millis) {
    nowNanos += millis * MILLIS;
  }

  /**
   * Asks whenever it is due. Returns the time until the peer is lost; 0 if it is not lost within
   * {@code millis} milliseconds.
   */
  private long millisUntilLost(long millis) {
    for (long passed = 1; passed <= millis; passed++) {
      pass(1);
      if (peer.isOverdue(nowNanos)) {
        peer.askAgain(nowNanos);
        if (peer.isSilent(nowNanos)) {
          return passed;
        }
      }
    }
    return 0;
  }
}
