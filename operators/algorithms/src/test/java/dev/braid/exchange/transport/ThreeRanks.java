package dev.braid.exchange.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Route;
import dev.braid.exchange.message.Share.Gradient;
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

/** Three ranks, all of them neighbours, on links that a test controls. */
abstract class ThreeRanks {

  private static final int RANKS = 3;
  static final long MILLIS = 1_000_000;
  static final int VALUES = 64;

  /** A window of four messages. */
  private static final Window WINDOW = new Window(1024, 768, 48, 8 * MILLIS);

  private final Deque<Message> underWay = new ArrayDeque<>();
  final List<Message> sent = new ArrayList<>();
  final List<Node> nodes = IntStream.range(0, RANKS).mapToObj(Node::new).toList();
  Predicate<Message> isLost = message -> false;

  /** Number of copies that have been made for receivers and are not released. */
  private int unreleased;

  int copies = 1;
  long now = 5_000 * MILLIS;

  final class Node implements Port, SharedValues, Transport.Client {
    private final int rank;
    private final Deadlines deadlines = new Deadlines(this);
    final Transport transport;
    final List<Long> delivered = new ArrayList<>();
    final List<Long> arrived = new ArrayList<>();
    final List<Long> silentAtMillis = new ArrayList<>();
    Optional<Payload> known = Optional.empty();
    private long wakeNanos = Deadlines.NEVER;
    int sentAgain;
    int released;

    Node(int rank) {
      this.rank = rank;
      this.transport =
          new Transport(
              new ExchangeConfig(rank, RANKS, VALUES, VALUES, 0),
              this,
              deadlines,
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
      transport.handOver(
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
        deadlines.deadline();
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
  final void whoReceivesReleases() {
    assertThat(underWay).isEmpty();
    assertThat(unreleased).isZero();
  }

  static Predicate<Message> between(int one, int other) {
    return message ->
        (message.from() == one && message.to() == other)
            || (message.from() == other && message.to() == one);
  }

  void send(int from, int to, long... rounds) {
    LongStream.of(rounds).forEach(round -> nodes.get(from).send(to, round));
    nodes.get(from).transport.arm();
    deliverAll();
  }

  List<Message> gradients() {
    return sent.stream().filter(message -> message.body() instanceof Gradient).toList();
  }

  void deliverAll() {
    for (Message next = underWay.poll(); next != null; next = underWay.poll()) {
      nodes.get(next.to()).transport.receive(next);
    }
  }

  /** Lets time pass; wakes ranks only when they have asked for it. */
  void pass(long millis) {
    for (long end = now + millis * MILLIS; now < end; ) {
      now += MILLIS;
      nodes.forEach(Node::wakeIfDue);
      deliverAll();
    }
  }
}
