package dev.braid.exchange.transport;

import dev.braid.exchange.Port;
import dev.braid.exchange.message.LinkControl;
import dev.braid.exchange.message.LinkControl.Acknowledgement;
import dev.braid.exchange.message.LinkControl.Find;
import dev.braid.exchange.message.LinkControl.Probe;
import dev.braid.exchange.message.LinkControl.WayBack;
import dev.braid.exchange.message.LinkControl.WayFound;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.ReplicaCopyBody;
import dev.braid.exchange.message.Route;
import dev.braid.exchange.message.Transit;
import dev.braid.exchange.transport.Peer.Outgoing;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToIntFunction;

/**
 * Carries an exchange's messages over links that lose, repeat, delay and reorder them, or are cut:
 * each arrives once, by any way that is left over the links that ranks have to their neighbours.
 *
 * <p>Messages between two ranks are numbered and acknowledged. At most a window's bytes are
 * outstanding between them; what goes beyond waits here, so that a link that takes nothing holds
 * its bound and stops nothing else. What a link carries for other ranks, around their failures,
 * comes on top. On a link in doubt nothing is sent again, only questions, and new messages as far
 * as the window allows.
 *
 * <p>What happens when an acknowledgement is overdue ({@link RoundTrip}):
 *
 * <pre>
 *   once      Probe along the way in use; the answer says what has arrived, the rest is sent again
 *   again     a search for another way ({@link WaySearch}); its answer says the same
 *   later     the same at growing intervals; the link itself is probed until it answers
 * </pre>
 *
 * <p>The way is then kept: later messages go around the failure at once. Link states that every
 * rank knows of every link would find ways without a search, but they take messages without a
 * failure, and are wrong while they spread.
 */
public final class Transport {

  /** The first question goes along the way in use only: most time-outs are pauses. */
  private static final int SEARCH_FROM_TIMEOUT = 2;

  private static final Probe PROBE = new Probe();

  /** What a transport tells whoever has it. */
  @FunctionalInterface
  public interface Client {

    /** A message for this rank, in any order, each once. */
    void deliver(Message message);

    /** A message has come to its receiver; its values are released, and not to be read. */
    default void arrived(Message message) {}

    /** A rank is silent: it has not answered for long, by any way; told now and again. */
    default void silent(int other) {}
  }

  private final int rank;
  private final Port port;
  private final ToIntFunction<Route> cost;
  private final Client client;
  private final SharedValues shared;
  private final Relay relay;
  private final PeerTable peers;
  private final WaySearch search;
  private final Generation generation = new Generation();
  private final LineRate rate = new LineRate();

  /** The latest that a message of this rank's was of; its questions and answers tell it as well. */
  private long latestRound;

  private long rolledBackNanos;
  private long armedNanos = Deadlines.NEVER;

  /**
   * @param neighbours whom this rank has a link to, for ways around failures
   * @param cost of a way: the cheapest that answers a search is taken
   * @param window what may be outstanding to one rank
   * @param shared values that need not come to a rank twice
   */
  public Transport(
      int rank,
      Port port,
      int[] neighbours,
      ToIntFunction<Route> cost,
      Window window,
      SharedValues shared,
      Client client) {
    this.rank = rank;
    this.port = port;
    this.cost = cost;
    this.shared = shared;
    this.client = client;
    this.relay = new Relay(rank, port, shared);
    this.peers = new PeerTable(other -> new Peer(other, window));
    this.search =
        new WaySearch(rank, port, neighbours, cost, peers, generation, new SearchClient());
  }

  /**
   * Sends a message. Its values must stay as they are until they have arrived, and are then
   * released: they are lent, or a view of what its owner writes again only after the receiver has
   * it. One that is {@linkplain Transit#LAST the last} for now is acknowledged at once.
   */
  public void send(Message message) {
    latestRound = Math.max(latestRound, message.round());
    Peer peer = peer(message.to());
    peer.enqueue(port.packed(message));
    sendWaiting(peer);
  }

  public void receive(Message message) {
    if (message.body() instanceof Find find) {
      search.receive(find, message.transit());
    } else if (message.body() instanceof WayFound found) {
      search.receive(found, message.transit());
    } else if (message.body() instanceof WayBack wayBack && wayBack.target() == rank) {
      search.receiveWayBack(message.transit());
    } else if (message.destination() == rank) {
      arrive(message);
    } else {
      relay.passOn(message, generation());
    }
    arm();
  }

  public void deadline() {
    armedNanos = Deadlines.NEVER;
    long now = port.nowNanos();
    for (Peer peer : peers.all()) {
      if (peer.isAckDue(now)) {
        acknowledge(peer, 0);
      }
      if (peer.isOverdue(now)) {
        ask(peer);
      }
      if (peer.isDirectProbeDue(now)) {
        long question = peer.probeDirectly(now);
        control(peer.rank(), new Transit(generation(), question, 0, Route.DIRECT), PROBE);
      }
    }
    arm();
  }

  /**
   * What this rank has sent for rounds that are not complete is void, and what comes is dropped,
   * but for parts of a replica. Until {@link #goOn} it still tells what has arrived, and sends
   * again what others lack of the round that they are completing.
   */
  public void rollBack() {
    // Where nothing was sent since the last one, this is another generation all the same.
    beginNextGeneration();
    generation.rollBack();
    rolledBackNanos = port.nowNanos();
    armedNanos = Deadlines.NEVER;
    arm();
  }

  /** The first message after a roll-back is about to be sent, or has come. May come again. */
  public void goOn() {
    beginNextGeneration();
  }

  /** Begins a new numbering, unless that of the last roll-back has begun. */
  private void beginNextGeneration() {
    if (generation.goOn()) {
      long pausedNanos = port.nowNanos() - rolledBackNanos;
      peers.all().forEach(peer -> peer.restartAfter(pausedNanos));
      rate.forget();
    }
  }

  /** Nothing that was sent in another view counts. */
  public void enter(long view, int[] itsNeighbours) {
    generation.enter(view);
    search.enter(itsNeighbours);
    peers.all().forEach(Peer::restart);
    rate.forget();
    armedNanos = Deadlines.NEVER;
    arm();
  }

  /** Whether a message was sent in a view. */
  public static boolean isOfView(Transit transit, long viewNumber) {
    return Generation.isOfView(transit.generation(), viewNumber);
  }

  /** Which numbering messages are of now: what was sent in another may be lost. */
  public int generation() {
    return generation.number();
  }

  /** Whether messages for another rank go over the link to it. */
  public boolean isDirect(int other) {
    return peer(other).route().isDirect();
  }

  /** How many bytes a second links take from this rank, or more; none before that is known. */
  public OptionalDouble bytesPerSecond() {
    return rate.bytesPerSecond();
  }

  /** The longest of the times after which other ranks' acknowledgements are overdue. */
  public long slowestTimeoutNanos() {
    return peers.all().stream().mapToLong(Peer::timeoutNanos).max().orElse(0);
  }

  /** Asks for the next deadline, if it is earlier than what was asked for. */
  public void arm() {
    long next = Deadlines.NEVER;
    for (Peer peer : peers.all()) {
      next = Math.min(next, peer.deadlineNanos());
    }
    if (next < armedNanos) {
      armedNanos = next;
      port.wakeAt(next);
    }
  }

  // ---- numbered messages -----------------------------------------------------------------------

  private void sendWaiting(Peer peer) {
    long now = port.nowNanos();
    for (Optional<Outgoing> next = peer.nextToSend(now);
        next.isPresent();
        next = peer.nextToSend(now)) {
      rate.sent(next.get().bytes(), now);
      transmit(peer, next.get());
    }
  }

  private void transmit(Peer peer, Outgoing outgoing) {
    Message m = outgoing.message();
    Arrivals arrivals = peer.arrivals();
    if (arrivals.beyond() == 0) {
      peer.acknowledging();
    }
    Transit transit =
        new Transit(
            generation(),
            outgoing.number(),
            m.transit().isLast(),
            arrivals.contiguous(),
            peer.route());
    int nextHop = peer.nextHop(rank);
    Message sent = isKnownTo(nextHop, peer, outgoing) ? m.withPayload(Payload.none()) : m;
    port.send(new Message(rank, nextHop, m.round(), transit, sent.body()));
  }

  /**
   * Whether the next hop on the way to a peer has been sent the same values over the same link.
   * What has been lost is sent again with its values, whoever has them.
   */
  private boolean isKnownTo(int nextHop, Peer peer, Outgoing outgoing) {
    return nextHop != peer.rank()
        && !outgoing.isResent()
        && shared.areFor(nextHop, outgoing.message())
        && peer(nextHop).isSentDirectly();
  }

  private void arrive(Message message) {
    Transit transit = message.transit();
    if (generation.isNext(transit.generation())) {
      beginNextGeneration();
    }
    if (transit.generation() != generation()) {
      message.release();
      return;
    }
    Peer peer = peer(message.origin());
    if (message.body() instanceof Acknowledgement acknowledgement) {
      acknowledged(peer, transit, acknowledgement);
    } else if (message.body() instanceof Probe) {
      acknowledge(peer, transit.number());
    } else {
      arriveNumbered(peer, message);
    }
  }

  private void arriveNumbered(Peer peer, Message message) {
    // One time for all of it: to ask for the time costs as much as to add up a hundred elements.
    long now = port.nowNanos();
    acknowledgedUpTo(peer, message.transit().acknowledged(), 0, false, now);
    boolean isNew = peer.arrived(message, now);
    // A rank that is behind comes to the last round's end by a copy of another's replica.
    boolean counts = !generation.isRolledBack() || message.body() instanceof ReplicaCopyBody;
    if (isNew && counts) {
      client.deliver(message);
    } else {
      message.release();
    }
    if (peer.isAckDue(now)) {
      acknowledge(peer, 0);
    }
  }

  // ---- acknowledgements ------------------------------------------------------------------------

  /** Tells a rank what has come from it, which may wait for room. */
  public void acknowledge(int other) {
    acknowledge(peer(other), 0);
  }

  private void acknowledge(Peer peer, long question) {
    Arrivals arrivals = peer.arrivals();
    peer.acknowledging();
    Transit transit = new Transit(generation(), question, arrivals.contiguous(), peer.route());
    control(peer.nextHop(rank), transit, new Acknowledgement(arrivals.beyond()));
  }

  private void acknowledged(Peer peer, Transit transit, Acknowledgement acknowledgement) {
    long question = transit.number();
    long now = port.nowNanos();
    acknowledgedUpTo(peer, transit.acknowledged(), acknowledgement.beyond(), false, now);
    if (peer.isAnswerToDirectProbe(question)) {
      Route link = Route.of(rank, peer.rank());
      peer.take(link, cost.applyAsInt(link), now);
    }
    if (question > 0 && peer.answered(question, now)) {
      sendLost(peer, question);
    }
  }

  private void acknowledgedUpTo(
      Peer peer, long contiguous, long beyond, boolean afterSearch, long nowNanos) {
    long before = peer.outstandingBytes();
    if (!peer.acknowledged(contiguous, beyond, afterSearch, nowNanos)) {
      return;
    }
    rate.arrived(before - peer.outstandingBytes(), nowNanos);
    sendWaiting(peer);
    for (Optional<Message> next = peer.nextArrived(); next.isPresent(); next = peer.nextArrived()) {
      client.arrived(next.get());
    }
  }

  private void sendLost(Peer peer, long question) {
    for (Outgoing lost : peer.lostBefore(question, port.nowNanos())) {
      port.sendsAgain();
      transmit(peer, lost);
    }
  }

  // ---- questions -------------------------------------------------------------------------------

  /** Asks a rank whether it is there, unless it has been asked and has not answered. */
  public void call(int other) {
    Peer peer = peer(other);
    if (peer.timeouts() == 0) {
      ask(peer);
    }
  }

  /** Whether a rank has answered what it was asked last, if it was asked at all. */
  public boolean hears(int other) {
    return peer(other).timeouts() == 0;
  }

  private void ask(Peer peer) {
    long question = peer.askAgain(port.nowNanos());
    if (peer.isSilent(port.nowNanos())) {
      client.silent(peer.rank());
    }
    if (peer.timeouts() < SEARCH_FROM_TIMEOUT || !search.isPossible(peer)) {
      Transit transit = new Transit(generation(), question, 0, peer.route());
      control(peer.nextHop(rank), transit, PROBE);
    } else {
      search.begin(peer, question);
    }
  }

  private final class SearchClient implements WaySearch.Client {
    @Override
    public void control(int to, Transit transit, LinkControl body) {
      Transport.this.control(to, transit, body);
    }

    @Override
    public void answered(Peer peer, Transit answer, boolean isFirstAnswer) {
      if (answer.generation() == generation()) {
        acknowledgedUpTo(peer, answer.acknowledged(), 0, true, port.nowNanos());
        if (isFirstAnswer) {
          sendLost(peer, answer.number());
        }
      }
    }
  }

  // ----------------------------------------------------------------------------------------------

  /**
   * Counts whatever round its ranks are in. It tells the sender's all the same: to a rank that is
   * cut off nothing else does, and what is to happen on the way in some round happens then.
   */
  private void control(int to, Transit transit, LinkControl body) {
    port.send(new Message(rank, to, latestRound, transit, body));
  }

  private Peer peer(int other) {
    return peers.of(other);
  }
}
