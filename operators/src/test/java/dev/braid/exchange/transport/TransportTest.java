package dev.braid.exchange.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.LinkControl.Acknowledgement;
import dev.braid.exchange.message.LinkControl.Find;
import dev.braid.exchange.message.LinkControl.Probe;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Route;
import dev.braid.exchange.message.Share.Gradient;
import dev.braid.exchange.message.Transit;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Three ranks, each a neighbour of both others, on links that do what a test says. */
class TransportTest {

  private static final int RANKS = 3;
  private static final long MILLIS = 1_000_000;
  private static final int VALUES = 64;

  /** Of four messages. */
  private static final Window WINDOW = new Window(1024, 768, 48, 8 * MILLIS);

  private final Deque<Message> underWay = new ArrayDeque<>();
  private final List<Message> sent = new ArrayList<>();
  private final List<Node> nodes = IntStream.range(0, RANKS).mapToObj(Node::new).toList();
  private Predicate<Message> isLost = message -> false;

  /** Copies that have been made for receivers, and are not released. */
  private int unreleased;

  private int copies = 1;
  private long now = 5_000 * MILLIS;

  private final class Node implements Port, SharedValues, Transport.Client {
    private final int rank;
    private final Transport transport;
    private final List<Long> delivered = new ArrayList<>();
    private final List<Long> arrived = new ArrayList<>();
    private final List<Long> silentAtMillis = new ArrayList<>();
    private Optional<Payload> known = Optional.empty();
    private long wakeNanos = Deadlines.NEVER;
    private int sentAgain;
    private int released;

    Node(int rank) {
      this.rank = rank;
      this.transport =
          new Transport(
              rank,
              this,
              IntStream.range(0, RANKS).filter(other -> other != rank).toArray(),
              Route::size,
              WINDOW,
              this,
              this);
    }

    @Override
    public void silent(int other) {
      silentAtMillis.add(now / MILLIS);
    }

    @Override
    public void arrived(Message message) {
      arrived.add(message.round());
    }

    @Override
    public void deliver(Message message) {
      assertThat(message.payload().length()).isEqualTo(message.range().length());
      delivered.add(message.round());
      message.release();
    }

    void send(int to, long round) {
      Payload payload = Payload.of(Slice.lent(new float[VALUES], 0, VALUES, a -> released++));
      transport.send(
          new Message(rank, to, round, new Gradient(Range.ofLength(VALUES), 1, payload)));
    }

    @Override
    public long nowNanos() {
      return now;
    }

    @Override
    public void send(Message message) {
      sent.add(message);
      for (int copy = 0; copy < copies && !isLost.test(message); copy++) {
        underWay.add(message.withPayload(copyOf(message.payload())));
      }
    }

    @Override
    public void sendsAgain() {
      sentAgain++;
    }

    @Override
    public void wakeAt(long nanos) {
      wakeNanos = nanos;
    }

    private void wakeIfDue() {
      if (wakeNanos <= now) {
        wakeNanos = Deadlines.NEVER;
        transport.deadline();
      }
    }

    @Override
    public boolean areFor(int other, Message message) {
      return known.isPresent();
    }

    @Override
    public Optional<Payload> of(Message message) {
      return known;
    }

    @Override
    public float[][] model() {
      throw new UnsupportedOperationException("there is no model here");
    }

    @Override
    public void update(Update update) {
      throw new UnsupportedOperationException("there is no model here");
    }
  }

  private Payload copyOf(Payload payload) {
    if (payload.isEmpty()) {
      return payload;
    }
    unreleased++;
    float[] values = payload.dense().toArray();
    return Payload.of(Slice.lent(values, 0, values.length, array -> unreleased--));
  }

  @AfterEach
  void whoReceivesReleases() {
    assertThat(underWay).isEmpty();
    assertThat(unreleased).isZero();
  }

  // ---- what is lost, and what comes twice ------------------------------------------------------

  @Test
  void whatIsAcknowledgedByWhatComesBack_needsNoMessageForThat() {
    nodes.get(0).send(1, 0);
    deliverAll();
    nodes.get(1).send(0, 0);
    deliverAll();
    pass(7);
    assertThat(sent).hasSize(2);
    assertThat(nodes.get(0).released).isEqualTo(1);
    // Nothing comes back for the second.
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

  // ---- how often is told what has come ---------------------------------------------------------

  /** Bytes that fill three quarters of the window. */
  @Test
  void whatComesIsAcknowledgedBeforeItsSenderHasToWait_andNotEachForItself() {
    send(0, 1, LongStream.range(0, 30).toArray());
    assertThat(nodes.get(1).delivered).hasSize(30);
    assertThat(acknowledgements()).hasSize(10);
  }

  /** A window's bytes never fill: as many messages are under way as can be told apart. */
  @Test
  void messagesWithoutValuesAreAcknowledgedBeforeTheirSenderHasToWait() {
    for (int round = 0; round < 3 * Arrivals.SPAN; round++) {
      nodes.get(0).transport.send(withoutValues(round, Transit.NONE));
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
    nodes.get(0).transport.send(withoutValues(1, Transit.LAST));
    deliverAll();
    assertThat(acknowledgements()).hasSize(1);
    assertThat(nodes.get(0).arrived).containsExactly(0L, 1L);
  }

  @Test
  void thatTheLastHasComeIsTold_thoughItAndTheAnswerWereLost() {
    isLost = message -> true;
    nodes.get(0).transport.send(withoutValues(0, Transit.LAST));
    nodes.get(0).transport.arm();
    pass(100);
    isLost = message -> message.body() instanceof Acknowledgement && sent.size() < 8;
    pass(3_000);
    assertThat(nodes.get(1).delivered).containsExactly(0L);
    assertThat(nodes.get(0).arrived).containsExactly(0L);
  }

  /** What was under way then, nobody waits for. */
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
    nodes.get(0).transport.goOn();
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

  // ---- ways ------------------------------------------------------------------------------------

  @Test
  void whereALinkIsCutMessagesGoAround_untilItIsWhole() {
    isLost = between(0, 1);
    send(0, 1, 0);
    pass(299);
    assertThat(nodes.get(1).delivered).isEmpty();
    // The second question, half a time-out behind the first, is a search.
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

  /** The answer to a search says what has arrived. */
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

  /** What it sends arrives at once, and its answers by another way. */
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

  /** As good as lost, it is sent again with them. */
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

  // ---- ranks that are cut off ------------------------------------------------------------------

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

  // ---- beginning anew --------------------------------------------------------------------------

  @Test
  void whatComesWhileRolledBackDoesNotCount_andIsForgottenWithTheNextNumbers() {
    isLost = message -> message.round() == 1;
    send(0, 1, 0, 1);
    nodes.forEach(node -> node.transport.rollBack());
    isLost = message -> false;
    pass(1_000);
    assertThat(nodes.get(1).delivered).as("sent again, and void").containsExactly(0L);
    int before = nodes.get(0).transport.generation();

    nodes.get(0).transport.goOn();
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
    transport.goOn();
    transport.goOn();
    assertThat(transport.generation()).isEqualTo(2);
  }

  @Test
  void aPauseIsNoSilence() {
    isLost = message -> true;
    send(0, 1, 0);
    nodes.forEach(node -> node.transport.rollBack());
    now += 60_000 * MILLIS;
    nodes.forEach(node -> node.transport.goOn());
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

  // ----------------------------------------------------------------------------------------------

  private static Predicate<Message> between(int one, int other) {
    return message ->
        (message.from() == one && message.to() == other)
            || (message.from() == other && message.to() == one);
  }

  private void send(int from, int to, long... rounds) {
    LongStream.of(rounds).forEach(round -> nodes.get(from).send(to, round));
    nodes.get(from).transport.arm();
    deliverAll();
  }

  private List<Message> gradients() {
    return sent.stream().filter(message -> message.body() instanceof Gradient).toList();
  }

  private void deliverAll() {
    for (Message next = underWay.poll(); next != null; next = underWay.poll()) {
      nodes.get(next.to()).transport.receive(next);
    }
  }

  /** Wakes ranks when they have asked for it, and not otherwise. */
  private void pass(long millis) {
    for (long end = now + millis * MILLIS; now < end; ) {
      now += MILLIS;
      nodes.forEach(Node::wakeIfDue);
      deliverAll();
    }
  }
}
