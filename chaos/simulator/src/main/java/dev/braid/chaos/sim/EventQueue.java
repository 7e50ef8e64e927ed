package dev.braid.chaos.sim;

import dev.braid.exchange.message.Message;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/** Virtual time: the events that are still to happen, in order, and a digest of those that have. */
final class EventQueue {

  /** Number of past events that are kept for the text of a failure. */
  private static final int REMEMBERED = 12;

  private final PriorityQueue<Event> queue = new PriorityQueue<>(Event.ORDER);
  private final ArrayDeque<Event> past = new ArrayDeque<>();
  private long nowNanos;
  private long numbered;
  private long happened;
  private long digest;
  private long messagesInFlight;
  private int attempt;

  long nowNanos() {
    return nowNanos;
  }

  /** Returns the number of events that have happened. */
  long happened() {
    return happened;
  }

  /**
   * Returns a digest that is equal for two runs only if they had the same events at the same times.
   */
  long digest() {
    return digest;
  }

  long messagesInFlight() {
    return messagesInFlight;
  }

  List<Event> latest() {
    return List.copyOf(past);
  }

  /** Adds a message that is in flight until a time. */
  void message(long nanos, Event.Kind kind, long incarnation, Message message) {
    messagesInFlight++;
    add(nanos, kind, message.to(), incarnation, Optional.of(message));
  }

  void schedule(long nanos, Event.Kind kind, int rank, long tag) {
    add(nanos, kind, rank, tag, Optional.empty());
  }

  /** Advances time to the next event; returns empty if there is none. */
  Optional<Event> next() {
    Event next = queue.poll();
    while (next != null && !isCurrent(next)) {
      next = queue.poll();
    }
    if (next != null) {
      happen(next);
    }
    return Optional.ofNullable(next);
  }

  /** Discards all events in the queue, since all ranks have crashed. */
  void crash() {
    attempt++;
    messagesInFlight = 0;
  }

  /** Returns whether an event was scheduled after the last crash. */
  boolean isCurrent(Event event) {
    return event.attempt() == attempt;
  }

  private void happen(Event event) {
    nowNanos = event.nanos();
    digest = event.digest(digest);
    happened++;
    if (event.message().isPresent()) {
      messagesInFlight--;
    }
    if (past.size() == REMEMBERED) {
      past.remove();
    }
    past.add(event);
  }

  private void add(long nanos, Event.Kind kind, int rank, long tag, Optional<Message> message) {
    // An event in the past happens immediately: a deadline may be requested late.
    queue.add(new Event(Math.max(nanos, nowNanos), numbered++, attempt, kind, rank, tag, message));
  }
}
