package dev.braid.exchange.transport;

import dev.braid.exchange.ForwardingPort;
import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.transport.Deadlines.Deadline;

/** The port of a transport that shares the exchange's deadline with other parts. */
public final class DeadlinePort extends ForwardingPort {

  private final Deadline deadline;

  /**
   * Creates a port.
   *
   * @param deadline the transport's own deadline
   */
  public DeadlinePort(Port port, Deadline deadline) {
    super(port);
    this.deadline = deadline;
  }

  @Override
  public void wakeAt(long nanos) {
    deadline.at(nanos);
  }

  @Override
  public void update(Update update) {
    throw new UnsupportedOperationException("a transport must not change the model");
  }
}
