package dev.braid.exchange.transport;

import dev.braid.exchange.Port;
import dev.braid.exchange.message.Message;

/** Passes on what is for other ranks, and keeps nothing of it. */
final class Relay {

  private final int rank;
  private final Port port;
  private final SharedValues shared;

  Relay(int rank, Port port, SharedValues shared) {
    this.rank = rank;
    this.port = port;
    this.shared = shared;
  }

  /**
   * Passes a message on along its route. One that lacks values which are not here is as good as
   * lost, and will be sent again with them.
   *
   * @param generation of this rank's messages: in another one the same round may have another sum
   */
  void passOn(Message message, int generation) {
    if (message.payload().length() == message.range().length()) {
      passOn(message);
    } else if (message.transit().generation() == generation) {
      shared.of(message).ifPresent(values -> passOn(port.packed(message.withPayload(values))));
    }
  }

  private void passOn(Message message) {
    port.send(new Message(message.header().passedOnBy(rank), message.body()));
    message.release();
  }
}
