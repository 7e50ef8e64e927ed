package dev.braid.exchange.transport;

/**
 * The numbers of one sender's messages that have arrived: all up to one number, and some of the
 * next 64. A sender has at most this many outstanding.
 */
final class Arrivals {

  /** Number of message numbers after the last contiguous one that are tracked individually. */
  static final int SPAN = Long.SIZE;

  private long contiguous;
  private long beyond;

  /** Notes a number. Returns false if it has arrived before, or if no sender may use it yet. */
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

  /** Returns the number up to which all messages have arrived. */
  long contiguous() {
    return contiguous;
  }

  /**
   * Returns the arrivals beyond the first gap: bit i is set if number {@code contiguous() + 1 + i}
   * has arrived.
   */
  long beyond() {
    return beyond;
  }

  /** Returns whether an acknowledgement with these two values covers a number. */
  static boolean has(long contiguous, long beyond, long number) {
    long offset = number - contiguous - 1;
    return offset < 0 || (offset < SPAN && (beyond >>> offset & 1) == 1);
  }
}
