package dev.braid.chaos.sim.check;

import dev.braid.exchange.message.LinkControl;
import dev.braid.exchange.message.Message;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Messages that a rank's exchange must receive, derived from those that arrive at the rank: if a
 * transport numbers them, each once and in the order of its sender; else each as it arrives.
 */
final class Deliveries {

  private static final class Sequence {
    private final Map<Long, Message> early = new HashMap<>();
    private long next = 1;
  }

  private final Map<Integer, Sequence> senders = new HashMap<>();
  private final Deque<Message> due = new ArrayDeque<>();

  /** Adds a message that has arrived; messages that were due before are not due any more. */
  void arrive(Message message) {
    due.clear();
    if (!(message.body() instanceof LinkControl)) {
      arrive(message, message.transit().number());
    }
  }

  private void arrive(Message message, long number) {
    if (number == 0) {
      due.add(message);
      return;
    }
    Sequence sequence = senders.computeIfAbsent(message.from(), from -> new Sequence());
    if (number >= sequence.next) {
      sequence.early.put(number, message);
    }
    while (sequence.early.containsKey(sequence.next)) {
      due.add(sequence.early.remove(sequence.next++));
    }
  }

  /** Returns the next message that the exchange receives. */
  Optional<Message> next() {
    return Optional.ofNullable(due.poll());
  }

  /** Restarts the numbers. */
  void restart() {
    senders.clear();
    due.clear();
  }
}
