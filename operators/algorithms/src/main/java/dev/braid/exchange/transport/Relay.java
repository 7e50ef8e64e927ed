package dev.braid.exchange.transport;

import dev.braid.exchange.Port;
import dev.braid.exchange.message.Message;

/** Forwards messages for other ranks, and keeps nothing of them. */
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
   * Forwards a message along its route. If the message lacks values that this rank does not have,
   * it is dropped as if lost, and will be sent again with them.
   *
   * @param generation generation of this rank's messages; in another generation the same round may
   *     have another sum
   */
  void passOn(Message message, int generation) {
    if (message.payload().length() == message.range().length()) {
      passOn(message);
    } else if (message.transit().generation() == generation) {
      shared.of(message).ifPresent(values -> passOn(port.packed(message.withPayload(values))));
    }
  }

  private void passOn(Message message) {
    port.send(message.passedOnBy(rank, message.body()));
    message.release();
  }
}
