package dev.braid.exchange.transport;

/**
 * Which of a sender's numbered messages have arrived: all up to one, and some of the next 64. A
 * sender has no more than these outstanding.
 */
final class Arrivals {

  /** How many numbers beyond the first gap are kept apart. */
  static final int SPAN = Long.SIZE;

  private long contiguous;
  private long beyond;

  /** False for a number that has arrived before, or that no sender may use yet. */
  boolean accept(long number) {
    long offset = number - contiguous - 1;
    if (offset < 0 || offset >= SPAN || (beyond >>> offset & 1) == 1) {
      return false;
    }
    beyond |= 1L << offset;
    while ((beyond & 1) == 1) {
      beyond >>>= 1;
      contiguous++;
    }
    return true;
  }

  /** All up to this number have arrived. */
  long contiguous() {
    return contiguous;
  }

  /** Bit i: whether number {@code contiguous() + 1 + i} has arrived. */
  long beyond() {
    return beyond;
  }

  /** Whether an acknowledgement with these two says that a number has arrived. */
  static boolean has(long contiguous, long beyond, long number) {
    long offset = number - contiguous - 1;
    return offset < 0 || (offset < SPAN && (beyond >>> offset & 1) == 1);
  }
}
