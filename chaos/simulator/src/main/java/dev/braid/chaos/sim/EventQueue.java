package dev.braid.chaos.sim;

import dev.braid.exchange.message.Message;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/** Virtual time: what is still to happen, in order, and a digest of what has. */
final class EventQueue {

  /** How many past events are kept for the text of a failure. */
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

  /** How many events have happened. */
  long happened() {
    return happened;
  }

  /** The same for two runs only if the same events happened at the same times. */
  long digest() {
    return digest;
  }

  long messagesInFlight() {
    return messagesInFlight;
  }

  List<Event> latest() {
    return List.copyOf(past);
  }

  /** A message that is in flight until then. */
  void message(long nanos, Event.Kind kind, long incarnation, Message message) {
    messagesInFlight++;
    add(nanos, kind, message.to(), incarnation, Optional.of(message));
  }

  void schedule(long nanos, Event.Kind kind, int rank, long tag) {
    add(nanos, kind, rank, tag, Optional.empty());
  }

  /** Moves time on to the next event; empty when nothing is left to happen. */
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

  /** All ranks have crashed: of what is in the queue nothing happens any more. */
  void crash() {
    attempt++;
    messagesInFlight = 0;
  }

  /** Whether an event was asked for since the last crash. */
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
    // A time that has passed is now: a deadline may be asked for late.
    queue.add(new Event(Math.max(nanos, nowNanos), numbered++, attempt, kind, rank, tag, message));
  }
}
