package dev.braid.exchange.async;

import dev.braid.exchange.transport.Outbox;
import java.util.function.Consumer;

/**
 * The gradients that absent peers miss. When a peer is back, it is sent them chunk by chunk, and
 * then catches up. By default there are none.
 */
interface CatchUp {

  /** Nothing is missed. */
  CatchUp NONE = new CatchUp() {};

  /**
   * Notes that a peer is absent. It misses all that is shared from now on, and the unsent tail of
   * the last range.
   */
  default void markAbsent(int peer, Outbox.Unsent unsent) {}

  /** Begins to send a peer that is back what it has missed. */
  default void beginCatchUp(int peer) {}

  /**
   * Returns whether a peer that is back has been sent all that it has missed. Called before each
   * {@link #sendMissed}; it may move the catch-up past what need not be sent.
   */
  default boolean hasCaughtUp(int peer) {
    return true;
  }

  /** Sends the next missed chunk to a peer that has not caught up. */
  default void sendMissed(int peer, Consumer<Outbox.Unsent> send) {}

  /** Ends the catch-up of a peer, which is sent the same as the others from now on. */
  default void endCatchUp(int peer) {}

  /** Returns whether a peer lacks something that will be sent to it. */
  default boolean hasUnsent(int peer) {
    return false;
  }
}
