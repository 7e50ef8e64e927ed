package dev.braid.exchange.transport;

import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import java.util.Optional;

/**
 * Values that more than one rank receives. If a rank on a message's route also receives the
 * message's values itself, they need not be sent to it twice. It inserts them when it forwards the
 * message.
 */
public interface SharedValues {

  /** Shares no values: every message has values of its own. */
  SharedValues NONE = new SharedValues() {};

  /**
   * Returns whether this rank sends a message's values to the other rank as well, before this
   * message.
   */
  default boolean areFor(int other, Message message) {
    return false;
  }

  /**
   * Returns the values of a message that another rank has sent without them along its route, or
   * empty if they are not here.
   */
  default Optional<Payload> of(Message message) {
    return Optional.empty();
  }
}
