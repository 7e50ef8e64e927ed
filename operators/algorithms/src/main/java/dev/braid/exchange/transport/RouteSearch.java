package dev.braid.exchange.transport;

import dev.braid.exchange.Port;
import dev.braid.exchange.message.LinkControl;
import dev.braid.exchange.message.LinkControl.Find;
import dev.braid.exchange.message.LinkControl.RouteBack;
import dev.braid.exchange.message.LinkControl.RouteFound;
import dev.braid.exchange.message.Route;
import dev.braid.exchange.message.Transit;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * Searches for routes to ranks that do not answer, over a rank's neighbours and theirs (dynamic
 * source routing, RFC 4728; routes may differ there and back):
 *
 * <pre>
 *   Find         floods from the searching rank, and collects its route
 *   RouteFound   floods back from the target, with the route there, what has arrived there, and the
 *                route of the answer itself
 *   RouteBack    takes the route there, and carries the route back to the target
 * </pre>
 *
 * <p>The route of the first answer is used at once, and a cheaper one when it arrives. A rank
 * passes a flood on once, and again if it arrives by a cheaper route.
 */
final class RouteSearch {

  /** Effects of a search on its transport. */
  interface Client {

    /** Sends one rank's question or answer to a neighbour. */
    void control(int to, Transit transit, LinkControl body);

    /**
     * Notes that a search has been answered.
     *
     * @param answer as it has arrived here, with the search's number and what has arrived at the
     *     peer
     * @param isFirstAnswer whether it is the first answer to this search
     */
    void answered(Peer peer, Transit answer, boolean isFirstAnswer);
  }

  /** The searches that have passed this rank. */
  private static final class Floods {

    private record Key(LinkControl question, int origin) {}

    private record Seen(long number, int cost) {}

    private final Map<Key, Seen> latest = new HashMap<>();

    /**
     * Returns whether a search or its answer is new here, or has arrived by a cheaper route than
     * before.
     */
    boolean isNews(LinkControl question, Transit transit, int cost) {
      Key key = new Key(question, transit.route().origin());
      Seen before = latest.get(key);
      Seen now = new Seen(transit.number(), cost);
      boolean news =
          before == null
              || now.number() > before.number()
              || (now.number() == before.number() && now.cost() < before.cost());
      if (news) {
        latest.put(key, now);
      }
      return news;
    }
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
   * Creates an object with no search in progress.
   *
   * @param cost cost of a route; the cheapest route that answers is used
   * @param generation the current generation of messages
   */
  RouteSearch(
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

  /** Replaces the neighbours. */
  void enter(int[] others) {
    neighbours = others.clone();
  }

  /** Returns whether there may be other routes to a peer than the link itself. */
  boolean isPossible(Peer peer) {
    return neighbours.length >= 2 || (neighbours.length == 1 && neighbours[0] != peer.rank());
  }

  /**
   * Begins a search for a route to a peer.
   *
   * @param search number of the search among the peer's questions
   */
  void begin(Peer peer, long search) {
    flood(new Find(peer.rank()), new Transit(generation.number(), search, 0, Route.of(rank)), 0);
  }

  /**
   * Passes a search, or its answer, on to all neighbours that its route does not contain from index
   * {@code turn} on.
   */
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

  /** Processes another rank's search. */
  void receive(Find find, Transit transit) {
    Transit here = transit.at(rank);
    if (!floods.isNews(find, here, cost.applyAsInt(here.route()))) {
      return;
    }
    if (find.target() == rank) {
      // The answer's route continues the question's route: there, and then back.
      Peer peer = peers.of(here.route().origin());
      boolean sameNumbers = here.generation() == generation.number();
      Transit answer = here.acknowledging(sameNumbers ? peer.arrivals().contiguous() : 0);
      flood(new RouteFound(rank), answer, here.route().size() - 1);
    } else {
      flood(find, here, 0);
    }
  }

  /** Processes the answer to a search of this rank or of another. */
  void receive(RouteFound found, Transit transit) {
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
    client.control(there.rank(1), here, new RouteBack(target));
    client.answered(peer, here, isFirstAnswer);
  }

  /** Processes the route back, sent by a rank that has searched for this one. */
  void receiveRouteBack(Transit transit) {
    Route route = transit.route();
    Peer peer = peers.of(route.origin());
    Route back = route.between(route.indexOf(rank), route.size() - 1);
    if (peer.isBetter(transit.number(), cost.applyAsInt(back))) {
      peer.take(back, cost.applyAsInt(back), port.nowNanos());
    }
  }
}
