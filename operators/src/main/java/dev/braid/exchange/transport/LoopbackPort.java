package dev.braid.exchange.transport;

import dev.braid.exchange.ForwardingPort;
import dev.braid.exchange.Port;
import dev.braid.exchange.message.Message;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * A port on which a rank may send messages to itself, for one that has two roles. They arrive when
 * the exchange is done with the call under way, by {@link #deliver}, and their values are not
 * copied.
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

  /** Hands over what this rank has sent to itself, and what it sends to itself meanwhile. */
  public void deliver(Consumer<Message> receiver) {
    for (Message next = own.poll(); next != null; next = own.poll()) {
      receiver.accept(next);
    }
  }
}
