package dev.braid.exchange.transport;

import dev.braid.exchange.Port;
import dev.braid.exchange.message.LinkControl;
import dev.braid.exchange.message.LinkControl.Find;
import dev.braid.exchange.message.LinkControl.WayBack;
import dev.braid.exchange.message.LinkControl.WayFound;
import dev.braid.exchange.message.Route;
import dev.braid.exchange.message.Transit;
import java.util.function.ToIntFunction;

/**
 * Searches for ways to ranks that do not answer, over a rank's neighbours and theirs (dynamic
 * source routing, RFC 4728; ways may differ there and back):
 *
 * <pre>
 *   Find       floods from the rank that searches, and collects its way
 *   WayFound   floods back from the target, with the way there, what has arrived there, and the way
 *              that it comes back itself
 *   WayBack    goes the way there, and tells the target the way back
 * </pre>
 *
 * <p>The way of the first answer is taken at once, and a cheaper one when it comes. A rank passes a
 * flood on once, and again where it has come a cheaper way ({@link Floods}).
 */
final class WaySearch {

  /** What a search does to its transport. */
  interface Client {

    /** Sends one rank's question or answer to a neighbour. */
    void control(int to, Transit transit, LinkControl body);

    /**
     * A search has been answered.
     *
     * @param answer as it has come here: with the search's number and what has arrived at the peer
     * @param isFirstAnswer of those to this search
     */
    void answered(Peer peer, Transit answer, boolean isFirstAnswer);
  }

  private final int rank;
  private final Port port;
  private final ToIntFunction<Route> cost;
  private final PeerTable peers;
  private final Generation generation;
  private final Client client;
  private final Floods floods = new Floods();

  private int[] neighbours;

  /**
   * No search is under way.
   *
   * @param cost of a way: the cheapest that answers is taken
   * @param generation which numbering messages are of now
   */
  WaySearch(
      int rank,
      Port port,
      int[] neighbours,
      ToIntFunction<Route> cost,
      PeerTable peers,
      Generation generation,
      Client client) {
    this.rank = rank;
    this.port = port;
    this.neighbours = neighbours.clone();
    this.cost = cost;
    this.peers = peers;
    this.generation = generation;
    this.client = client;
  }

  /** Other ranks are neighbours from now on. */
  void enter(int[] others) {
    neighbours = others.clone();
  }

  /** Whether there may be other ways to a peer than the link itself. */
  boolean isPossible(Peer peer) {
    return neighbours.length >= 2 || (neighbours.length == 1 && neighbours[0] != peer.rank());
  }

  /**
   * Searches for a way to a peer.
   *
   * @param search its number, of the peer's questions
   */
  void begin(Peer peer, long search) {
    flood(new Find(peer.rank()), new Transit(generation.number(), search, 0, Route.of(rank)), 0);
  }

  /** Passes a search or its answer on to all neighbours that it has not passed since its turn. */
  private void flood(LinkControl body, Transit transit, int turn) {
    Route route = transit.route();
    if (route.size() >= Route.MAX_RANKS) {
      return;
    }
    for (int neighbour : neighbours) {
      if (!route.containsFrom(turn, neighbour)) {
        client.control(neighbour, transit, body);
      }
    }
  }

  /** A search has come, of another rank. */
  void receive(Find find, Transit transit) {
    Transit here = transit.at(rank);
    if (!floods.isNews(find, here, cost.applyAsInt(here.route()))) {
      return;
    }
    if (find.target() == rank) {
      // The answer's route goes on from the question's: there, and then back.
      Peer peer = peers.of(here.route().origin());
      boolean sameNumbers = here.generation() == generation.number();
      Transit answer = here.acknowledging(sameNumbers ? peer.arrivals().contiguous() : 0);
      flood(new WayFound(rank), answer, here.route().size() - 1);
    } else {
      flood(find, here, 0);
    }
  }

  /** An answer has come, to a search of this rank's or of another's. */
  void receive(WayFound found, Transit transit) {
    Transit here = transit.at(rank);
    int target = found.target();
    Route route = here.route();
    if (!floods.isNews(found, here, cost.applyAsInt(route))) {
      return;
    }
    int turn = route.indexOf(target);
    if (route.origin() != rank) {
      flood(found, here, turn);
      return;
    }
    Peer peer = peers.of(target);
    long now = port.nowNanos();
    boolean isFirstAnswer = peer.answered(here.number(), now);
    Route there = route.between(0, turn);
    if (isFirstAnswer || peer.isCheaper(here.number(), cost.applyAsInt(there))) {
      peer.take(there, cost.applyAsInt(there), now);
    }
    client.control(there.rank(1), here, new WayBack(target));
    client.answered(peer, here, isFirstAnswer);
  }

  /** A rank that has searched for this one tells the way back to it. */
  void receiveWayBack(Transit transit) {
    Route route = transit.route();
    Peer peer = peers.of(route.origin());
    Route back = route.between(route.indexOf(rank), route.size() - 1);
    if (peer.isBetter(transit.number(), cost.applyAsInt(back))) {
      peer.take(back, cost.applyAsInt(back), port.nowNanos());
    }
  }
}
