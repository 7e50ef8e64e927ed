package dev.braid.exchange.transport;

import dev.braid.exchange.message.Message;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Hands numbered messages on in the order of their numbers, each sender's for itself: what has
 * overtaken another waits here until that has come. A sender's window bounds how much that is.
 */
public final class InOrder {

  /** From one sender. */
  private static final class Sequence {
    private final Map<Long, Message> early = new HashMap<>();
    private long next = 1;
  }

  private final Consumer<Message> receiver;
  private final Map<Integer, Sequence> senders = new HashMap<>();

  public InOrder(Consumer<Message> receiver) {
    this.receiver = receiver;
  }

  /** A message has come, for the first time. */
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

  /** What waits will not be handed on: releases it. */
  public void forget() {
    senders.values().forEach(sequence -> sequence.early.values().forEach(Message::release));
    senders.clear();
  }
}
