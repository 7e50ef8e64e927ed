package dev.braid.chaos;

import dev.braid.loop.envelope.Envelope.Letter;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/** Letters in flight, by the time of their arrival; letters with the same time keep their order. */
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

  /**
   * Returns when the next letter arrives, in nanoseconds; {@link Long#MAX_VALUE} if none is in
   * flight.
   */
  long nextNanos() {
    return queue.isEmpty() ? Long.MAX_VALUE : queue.peek().nanos();
  }

  /** Hands over all letters that arrive until now. */
  void release(long nowNanos, Consumer<Letter> arrived) {
    while (!queue.isEmpty() && queue.peek().nanos() <= nowNanos) {
      arrived.accept(queue.remove().letter());
    }
  }

  /** Discards all letters and releases their memory. */
  void discard() {
    queue.forEach(held -> held.letter().message().release());
    queue.clear();
  }
}
