package dev.braid.chaos;

import dev.braid.loop.envelope.Envelope.Letter;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/** Letters on their way, by the time of their arrival; those of one time in the order they came. */
final class HeldLetters {

  private record Held(long nanos, long number, Letter letter) {}

  private final PriorityQueue<Held> queue =
      new PriorityQueue<>(Comparator.comparingLong(Held::nanos).thenComparingLong(Held::number));
  private long number;

  void add(long nanos, Letter letter) {
    queue.add(new Held(nanos, number++, letter));
  }

  boolean isEmpty() {
    return queue.isEmpty();
  }

  /** When the next one arrives; {@link Long#MAX_VALUE} if none is on its way. */
  long nextNanos() {
    return queue.isEmpty() ? Long.MAX_VALUE : queue.peek().nanos();
  }

  /** Hands over all that arrive until now. */
  void release(long nowNanos, Consumer<Letter> arrived) {
    while (!queue.isEmpty() && queue.peek().nanos() <= nowNanos) {
      arrived.accept(queue.remove().letter());
    }
  }

  /** Gives the memory of all back. */
  void discard() {
    queue.forEach(held -> held.letter().message().release());
    queue.clear();
  }
}
