package dev.braid.exchange.transport;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.Sender;
import dev.braid.exchange.message.LinkControl;
import dev.braid.exchange.message.LinkControl.Acknowledgement;
import dev.braid.exchange.message.LinkControl.Find;
import dev.braid.exchange.message.LinkControl.Probe;
import dev.braid.exchange.message.LinkControl.RouteBack;
import dev.braid.exchange.message.LinkControl.RouteFound;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.ReplicaCopyBody;
import dev.braid.exchange.message.Route;
import dev.braid.exchange.message.Transit;
import dev.braid.exchange.transport.Deadlines.Deadline;
import dev.braid.exchange.transport.Peer.Outgoing;
import dev.braid.vector.FloatPool;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToIntFunction;

/**
 * Carries an exchange's messages over links that lose, repeat, delay and reorder them, or are cut.
 * Each message arrives once. If the link between two ranks is cut, their messages go over other
 * ranks, along links between neighbours, while such a route exists.
 *
 * <p>Messages between two ranks are numbered and acknowledged. At most a window's bytes are
 * outstanding between them; the rest waits here. So for a link that accepts nothing, at most a
 * window's bytes are in the network, and messages to other ranks are still sent. Messages that a
 * link carries for other ranks, around their failures, are not counted. While an acknowledgement is
 * overdue, nothing is sent again until a question is answered: only questions are sent, and new
 * messages as far as the window allows.
 *
 * <p>When an acknowledgement is overdue ({@link RoundTrip}), the transport reacts as follows:
 *
 * <pre>
 *   once      Probe along the route in use; the answer says what has arrived, the rest is resent
 *   again     a search for another route ({@link RouteSearch}); its answer says the same
 *   later     the same at growing intervals; the link itself is probed until it answers
 * </pre>
 *
 * <p>The route is then kept, so later messages go around the failure at once. If every rank knew
 * the state of every link, routes could be found without a search. But spreading link states takes
 * messages even without failures, and the states are wrong while they spread.
 */
public final class Transport implements Sender {

  /**
   * Number of the time-out from which on routes are searched. The first question uses only the
   * route in use, because most time-outs are pauses.
   */
  private static final int SEARCH_FROM_TIMEOUT = 2;

  /** Maximum number of unused arrays that are kept for copies of values. */
  private static final int POOLED_CHUNKS = 128;

  private static final Probe PROBE = new Probe();

  /** Receives a transport's messages and notices. */
  @FunctionalInterface
  public interface Client {

    /** Delivers a message for this rank. Messages come in any order, each once. */
    void deliver(Message message);

    /**
     * Notes that a message has arrived at its receiver. Its values are released and must not be
     * read.
     */
    default void arrived(Message message) {}

    /**
     * Notes that a rank is silent: it has not answered for long, by any route. Called repeatedly.
     */
    default void silent(int other) {}
  }

  private final int rank;
  private final Port port;
  private final Deadline deadline;
  private final ToIntFunction<Route> cost;
  private final Client client;
  private final SharedValues shared;
  private final Relay relay;
  private final PeerTable peers;
  private final RouteSearch search;
  private final Generation generation = new Generation();
  private final LineRate rate = new LineRate();

  /** Arrays for values that are sent but not handed over. */
  private final FloatPool pool;

  /** The latest round of this rank's messages. Its questions and answers carry it, too. */
  private long latestRound;

  private long rolledBackNanos;
  private long armedNanos = Deadlines.NEVER;

  /**
   * Creates a transport. Its deadline is added to the others of the exchange.
   *
   * @param neighbours ranks that this rank has a link to, for routes around failures
   * @param cost cost of a route; the cheapest route that answers a search is used
   * @param window limit on what may be outstanding to one rank
   * @param shared values that need not be sent to a rank twice
   */
  public Transport(
      ExchangeConfig config,
      Port port,
      Deadlines deadlines,
      int[] neighbours,
      ToIntFunction<Route> cost,
      Window window,
      SharedValues shared,
      Client client) {
    this.rank = config.rank();
    this.port = port;
    this.deadline = deadlines.of(this::deadline);
    this.pool = new FloatPool(config.chunkLength(), POOLED_CHUNKS);
    this.cost = cost;
    this.shared = shared;
    this.client = client;
    this.relay = new Relay(rank, port, shared);
    this.peers = new PeerTable(other -> new Peer(other, window));
    this.search =
        new RouteSearch(rank, port, neighbours, cost, peers, generation, new SearchClient());
  }

  @Override
  public void send(Message message) {
    handOver(message.withPayload(message.payload().copy(pool::lend)));
  }

  /**
   * Sends a message. Its values must not change until they have arrived, and are then released.
   * They are lent, or a view of memory that its owner writes again only after the receiver has the
   * values. A message with the transit {@link Transit#LAST} is acknowledged at once.
   */
  @Override
  public void handOver(Message message) {
    latestRound = Math.max(latestRound, message.round());
    Peer peer = peer(message.to());
    peer.enqueue(port.packed(message));
    sendWaiting(peer);
  }

  public void receive(Message message) {
    if (message.body() instanceof Find find) {
      search.receive(find, message.transit());
    } else if (message.body() instanceof RouteFound found) {
      search.receive(found, message.transit());
    } else if (message.body() instanceof RouteBack back && back.target() == rank) {
      search.receiveRouteBack(message.transit());
    } else if (message.destination() == rank) {
      arrive(message);
    } else {
      relay.passOn(message, generation());
    }
    arm();
  }

  /** Handles this transport's deadline. */
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
   * Rolls back: this rank's messages for incomplete rounds are void, and incoming messages are
   * dropped, except those of a replica's copy ({@link ReplicaCopyBody}). Until {@link #resume} the
   * transport still acknowledges arrivals, and sends again what others lack of the round that they
   * are completing.
   */
  public void rollBack() {
    // If nothing was sent since the last rollback, its generation has not begun. It must begin
    // nevertheless, because all ranks count every rollback.
    resume();
    generation.rollBack();
    rolledBackNanos = port.nowNanos();
    armedNanos = Deadlines.NEVER;
    arm();
  }

  /**
   * Resumes after a rollback: begins a new generation, unless it has begun. Must be called before
   * the first message is sent. The transport calls this method itself when a message of the new
   * generation arrives. Idempotent.
   */
  public void resume() {
    if (generation.resume()) {
      long pausedNanos = port.nowNanos() - rolledBackNanos;
      peers.all().forEach(peer -> peer.restartAfter(pausedNanos));
      rate.forget();
    }
  }

  /** Enters a view with other neighbours. Messages of other views do not count. */
  public void enter(long view, int[] itsNeighbours) {
    generation.enter(view);
    search.enter(itsNeighbours);
    peers.all().forEach(Peer::restart);
    rate.forget();
    armedNanos = Deadlines.NEVER;
    arm();
  }

  /** Returns whether a message was sent in a view. */
  public static boolean isOfView(Transit transit, long viewNumber) {
    return Generation.isOfView(transit.generation(), viewNumber);
  }

  /**
   * Returns the number of the current generation of messages. Messages of other generations may be
   * lost.
   */
  public int generation() {
    return generation.number();
  }

  /** Returns whether messages for another rank use the link to it. */
  public boolean isDirect(int other) {
    return peer(other).route().isDirect();
  }

  /**
   * Returns a lower bound of the bytes per second that links accept from this rank; empty until it
   * is known.
   */
  public OptionalDouble bytesPerSecond() {
    return rate.bytesPerSecond();
  }

  /** Returns the longest time-out for acknowledgements of any rank, in nanoseconds. */
  public long slowestTimeoutNanos() {
    return peers.all().stream().mapToLong(Peer::timeoutNanos).max().orElse(0);
  }

  /** Requests the next deadline, if it is earlier than the last request. */
  public void arm() {
    long next = Deadlines.NEVER;
    for (Peer peer : peers.all()) {
      next = Math.min(next, peer.deadlineNanos());
    }
    if (next < armedNanos) {
      armedNanos = next;
      deadline.at(next);
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
   * Returns whether the next hop on the route to a peer has been sent the same values over the same
   * link. A lost message is always sent again with its values.
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
      resume();
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
    // The time is read once for all of this, because reading it costs as much as adding up a
    // hundred elements.
    long now = port.nowNanos();
    acknowledgedUpTo(peer, message.transit().acknowledged(), 0, false, now);
    boolean isNew = peer.arrived(message, now);
    // A rank that is behind reaches the last round's end by a copy of another rank's replica.
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

  /** Acknowledges to a rank what has arrived from it, because it may be waiting for room. */
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

  /** Asks a rank whether it is present, unless a question is still unanswered. */
  public void call(int other) {
    Peer peer = peer(other);
    if (peer.timeouts() == 0) {
      ask(peer);
    }
  }

  /**
   * Returns whether a rank has answered a question, or acknowledged something new, since it was
   * last asked; also if it was never asked.
   */
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

  private final class SearchClient implements RouteSearch.Client {
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
   * Sends a control message, which counts in any round. It carries the sender's round nevertheless,
   * for two reasons. An unreachable rank learns the round from nothing else. And a link on the way
   * may have chaos events that are scheduled for a round, which begins there with the first message
   * of that round.
   */
  private void control(int to, Transit transit, LinkControl body) {
    port.send(new Message(rank, to, latestRound, transit, body));
  }

  private Peer peer(int other) {
    return peers.of(other);
  }
}
