package dev.braid.exchange.transport;

import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import java.util.Optional;

/**
 * Values that more than one rank gets. Where a rank on the way of a message gets the same values
 * itself, they need not come to it twice: it puts them in as it passes the message on.
 */
public interface SharedValues {

  /** Every message has values of its own. */
  SharedValues NONE =
      new SharedValues() {
        @Override
        public boolean areFor(int other, Message message) {
          return false;
        }

        @Override
        public Optional<Payload> of(Message message) {
          return Optional.empty();
        }
      };

  /** Whether this rank sends the values of a message, before it, to this other rank as well. */
  boolean areFor(int other, Message message);

  /** The values of a message that another rank has sent on its way without them, if here. */
  Optional<Payload> of(Message message);
}
