package dev.braid.exchange.transport;

import dev.braid.exchange.ForwardingPort;
import dev.braid.exchange.Port;
import dev.braid.exchange.message.Message;

/** The port of operations that hand all values over, which go through a transport. */
public final class TransportPort extends ForwardingPort {

  private final Transport transport;

  /**
   * A port like another, but for messages.
   *
   * @param transport takes what is handed over
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
    throw new UnsupportedOperationException("values that may change before they are sent");
  }
}
