package dev.braid.exchange.membership;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Route;
import dev.braid.exchange.transport.SharedValues;

/**
 * One rank's rounds in one view, one after the other. An {@link ElasticExchange} uses it while
 * membership does not change. At a rank that is left out, nothing happens in them. By default no
 * values are shared.
 */
public interface RoundsOfView extends SharedValues {

  /** Returns the current or next round, which is the number of complete rounds. */
  long round();

  /** Returns whether this rank has contributed to a round that is not complete. */
  boolean underWay();

  /** Contributes this rank's gradient to the next round. */
  void contribute(Contribution local);

  /**
   * Processes a message of this view, except messages about copies and about which ranks are heard.
   */
  void receive(Message message);

  /** Forgets and releases everything that belongs to incomplete rounds. */
  void rollBack();

  /**
   * Forgets and releases everything that belongs to incomplete rounds, because another view begins.
   * Its rounds are made next.
   */
  default void leave() {
    rollBack();
  }

  /**
   * Returns whether this rank has all that it needs to contribute. If not, it gets the rest from
   * others.
   */
  default boolean isReady() {
    return true;
  }

  /** Begins the view, after the transport has entered it. */
  default void begin() {}

  /**
   * Asks again if the transport has begun a new generation, because messages in flight are lost
   * then.
   */
  default void askAgainIfLost() {}

  /**
   * Processes a message about what a rank needs to contribute; returns false for any other message.
   */
  default boolean takes(Message message) {
    return false;
  }

  /**
   * Returns whether each member's replica has all of the updater's state. If not, a copy consists
   * of the weights only.
   */
  default boolean replicasHaveState() {
    return true;
  }

  /** Returns the ranks over which this rank searches for other routes, ascending. */
  int[] neighbours();

  /** Returns the cost of a route; of several routes the transport uses the cheapest. */
  default int cost(Route route) {
    return route.size();
  }
}
