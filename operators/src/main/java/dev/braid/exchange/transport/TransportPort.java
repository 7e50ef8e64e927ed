package dev.braid.exchange.transport;

import dev.braid.exchange.ForwardingPort;
import dev.braid.exchange.Port;
import dev.braid.exchange.message.Message;

/** A port that sends messages through a transport, for operations that hand over all values. */
public final class TransportPort extends ForwardingPort {

  private final Transport transport;

  /**
   * Creates a port that delegates everything except messages.
   *
   * @param transport sends the messages that are handed over
   */
  public TransportPort(Port port, Transport transport) {
    super(port);
    this.transport = transport;
  }

  @Override
  public void handOver(Message message) {
    transport.send(message);
  }

  @Override
  public void send(Message message) {
    throw new UnsupportedOperationException(
        "use handOver: values of a sent message may change before it is sent");
  }
}
