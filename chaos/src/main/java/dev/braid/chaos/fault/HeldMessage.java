package dev.braid.chaos.fault;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A message that waits on a link, with its delay by each fault. */
final class HeldMessage<M> {

  /** Order by the time until which messages are held back, then by the order in which they came. */
  static final Comparator<HeldMessage<?>> ORDER =
      Comparator.<HeldMessage<?>>comparingLong(HeldMessage::heldBackUntilNanos)
          .thenComparingLong(held -> held.number);

  private record Cost(Fault fault, long nanos) {}

  private final M message;
  private final long bytes;
  private final long number;
  private final List<Cost> delays = new ArrayList<>();
  private final List<Cost> holds = new ArrayList<>();
  private boolean corrupt;
  private boolean twice;
  private long passedNanos;

  /**
   * Creates a message that does not wait for any fault yet.
   *
   * @param number number among the messages of its link
   */
  HeldMessage(M message, long bytes, long number) {
    this.message = message;
    this.bytes = bytes;
    this.number = number;
  }

  M message() {
    return message;
  }

  long bytes() {
    return bytes;
  }

  boolean isCorrupt() {
    return corrupt;
  }

  boolean comesTwice() {
    return twice;
  }

  boolean isHeldBack() {
    return !holds.isEmpty();
  }

  boolean isDelayed() {
    return !delays.isEmpty();
  }

  void corrupt() {
    corrupt = true;
  }

  void comeTwice() {
    twice = true;
  }

  void delay(Fault fault, long nanos) {
    delays.add(new Cost(fault, nanos));
  }

  void holdBack(Fault fault, long nanos) {
    holds.add(new Cost(fault, nanos));
  }

  /** Removes the delays of a fault that has ended. */
  void forget(Fault fault) {
    delays.removeIf(cost -> cost.fault == fault);
    holds.removeIf(cost -> cost.fault == fault);
  }

  /** Sets the time when it has passed the previous stage. */
  void passed(long nanos) {
    passedNanos = nanos;
  }

  /** Returns until when it is delayed: its delays count from when it has passed the throttle. */
  long delayedUntilNanos() {
    return passedNanos + sum(delays);
  }

  /** Returns until when it is held back, which counts from when it has passed the delays. */
  long heldBackUntilNanos() {
    return passedNanos + sum(holds);
  }

  /** Returns the sum of its remaining delays, in nanoseconds. */
  long delayNanos() {
    return sum(delays);
  }

  private static long sum(List<Cost> costs) {
    long sum = 0;
    for (Cost cost : costs) {
      sum += cost.nanos;
    }
    return sum;
  }
}
