package dev.braid.loop;

import java.util.ArrayDeque;
import java.util.Deque;

/** What happens in order, each thing not before a step of its own. */
final class DelayedQueue {

  private record Item(long dueStep, Runnable action) {}

  private final Deque<Item> items = new ArrayDeque<>();

  /** Adds work for one worker, which begins it when all before it is done. */
  void addWork(long nowStep, long duration, Runnable end) {
    items.add(new Item(Math.max(nowStep, lastStep()) + duration, end));
  }

  /** Adds a message, under way together with those before it, which it does not overtake. */
  void addMessage(long nowStep, long latency, Runnable arrival) {
    items.add(new Item(Math.max(nowStep + latency, lastStep()), arrival));
  }

  /** What is being worked on ends after a shorter time, if it would take longer. */
  void cutShort(long nowStep, long duration) {
    if (!items.isEmpty() && items.getFirst().dueStep() > nowStep + duration) {
      items.addFirst(new Item(nowStep + duration, items.remove().action()));
    }
  }

  /** Nothing of what is here happens. */
  void clear() {
    items.clear();
  }

  private long lastStep() {
    return items.isEmpty() ? 0 : items.getLast().dueStep();
  }

  boolean isEmpty() {
    return items.isEmpty();
  }

  boolean isDue(long nowStep) {
    return nextStep() <= nowStep;
  }

  /** When the next thing may happen; never if there is none. */
  long nextStep() {
    return items.isEmpty() ? Long.MAX_VALUE : items.getFirst().dueStep();
  }

  void runNext() {
    items.remove().action().run();
  }
}
