package dev.braid.exchange.membership;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Route;
import dev.braid.exchange.transport.SharedValues;

/**
 * One rank's rounds in one view, one after the other: what an {@link ElasticExchange} is told while
 * nobody comes or goes. Of a rank that is left out nothing happens in them.
 */
public interface RoundsOfView {

  /** The round under way, or next: how many are complete. */
  long round();

  /** Whether this rank has contributed to a round that is not complete. */
  boolean underWay();

  /** This rank's gradient of the next round. */
  void contribute(Contribution local);

  /** A message of this view, but for those of copies and of who is heard. */
  void receive(Message message);

  /** Forgets what belongs to rounds that are not complete, and releases it. */
  void rollBack();

  /** Forgets the same as another view begins, whose rounds are made next. */
  default void leave() {
    rollBack();
  }

  /** Whether this rank has what it needs to contribute; if not, it gets it from others. */
  default boolean isReady() {
    return true;
  }

  /** The transport is in this view. */
  default void begin() {}

  /** Where the transport has begun anew, what was on its way is lost. */
  default void askAgainIfLost() {}

  /** Takes a message that is about what a rank needs to contribute; false for any other. */
  default boolean takes(Message message) {
    return false;
  }

  /**
   * Whether each member's replica has all of the updater's state; if not, a copy of it is one of
   * the weights.
   */
  default boolean replicasHaveState() {
    return true;
  }

  /** Over whom searches for other ways go from this rank, ascending. */
  int[] neighbours();

  /** What a way costs: of several the cheapest is taken. */
  int cost(Route way);

  /** Values that need not come to a rank twice. */
  default SharedValues sharedValues() {
    return SharedValues.NONE;
  }
}
