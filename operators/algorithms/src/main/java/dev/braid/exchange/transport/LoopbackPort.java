package dev.braid.exchange.transport;

import dev.braid.exchange.ForwardingPort;
import dev.braid.exchange.Port;
import dev.braid.exchange.message.Message;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * A port through which a rank with two roles may send messages to itself. They arrive by {@link
 * #deliver}, after the exchange's current call, and their values are not copied.
 */
public final class LoopbackPort extends ForwardingPort {

  private final int rank;
  private final Deque<Message> own = new ArrayDeque<>();

  public LoopbackPort(int rank, Port port) {
    super(port);
    this.rank = rank;
  }

  @Override
  public void send(Message message) {
    if (message.to() == rank) {
      own.add(message);
    } else {
      super.send(message);
    }
  }

  @Override
  public void handOver(Message message) {
    if (message.to() == rank) {
      own.add(message);
    } else {
      super.handOver(message);
    }
  }

  /**
   * Delivers the messages that this rank has sent to itself, including those sent during delivery.
   */
  public void deliver(Consumer<Message> receiver) {
    for (Message next = own.poll(); next != null; next = own.poll()) {
      receiver.accept(next);
    }
  }
}
