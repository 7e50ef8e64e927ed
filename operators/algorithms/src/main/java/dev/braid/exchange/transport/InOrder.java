package dev.braid.exchange.transport;

import dev.braid.exchange.message.Message;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Delivers numbered messages in the order of their numbers, separately for each sender. A message
 * that has overtaken another waits until that one arrives. A sender's window bounds how many wait.
 */
public final class InOrder {

  /** The messages of one sender. */
  private static final class Sequence {
    private final Map<Long, Message> early = new HashMap<>();
    private long next = 1;
  }

  private final Consumer<Message> receiver;
  private final Map<Integer, Sequence> senders = new HashMap<>();

  public InOrder(Consumer<Message> receiver) {
    this.receiver = receiver;
  }

  /** Accepts a message that has arrived for the first time. */
  public void accept(Message message) {
    Sequence sequence = senders.computeIfAbsent(message.origin(), origin -> new Sequence());
    sequence.early.put(message.transit().number(), message);
    for (Message next = sequence.early.remove(sequence.next);
        next != null;
        next = sequence.early.remove(sequence.next)) {
      sequence.next++;
      receiver.accept(next);
    }
  }

  /** Releases the waiting messages without delivering them. */
  public void forget() {
    senders.values().forEach(sequence -> sequence.early.values().forEach(Message::release));
    senders.clear();
  }
}
