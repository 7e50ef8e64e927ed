package dev.braid.exchange.allreduce.mesh;

import dev.braid.exchange.ForwardingPort;
import dev.braid.exchange.Port;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.transport.Transport;

/** The port of operations that hand all values over, which go through a transport. */
final class TransportPort extends ForwardingPort {

  private final Transport transport;

  TransportPort(Port port, Transport transport) {
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
