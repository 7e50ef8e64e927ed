package dev.braid.exchange.fttree;

/**
 * A backup's knowledge of one transfer over a primary link that it guards: whether the sender has
 * reported that it has sent, and whether the receiver has reported that it has received
 * (<em>fault-tolerant tree</em>, Algorithms 1 and 2, "timeout").
 *
 * <p>The paper's time-out expires once. This one repeats until the receiver has confirmed, because
 * the requested data can be lost as well. Its intervals double, so that retransmissions do not fill
 * a link that is slower than the time-out.
 */
final class Watch {

  static final long NEVER = Long.MAX_VALUE;

  private static final long NONE = -1;
  private static final int MAX_DOUBLINGS = 20;

  private final long timeoutNanos;
  private long sentRound = NONE;
  private long receivedRound = NONE;
  private long deadlineNanos = NEVER;
  private int repeats;

  Watch(long timeoutNanos) {
    this.timeoutNanos = timeoutNanos;
  }

  void sent(long round, long nowNanos) {
    if (round > sentRound && round > receivedRound) {
      sentRound = round;
      repeats = 0;
      deadlineNanos = nowNanos + timeoutNanos;
    }
  }

  void received(long round) {
    receivedRound = Math.max(receivedRound, round);
    if (receivedRound >= sentRound) {
      deadlineNanos = NEVER;
    }
  }

  /** Returns whether a confirmation is overdue; if so, doubles the time until the next time-out. */
  boolean isDue(long nowNanos) {
    boolean due = deadlineNanos <= nowNanos;
    if (due) {
      repeats = Math.min(MAX_DOUBLINGS, repeats + 1);
      deadlineNanos = nowNanos + (timeoutNanos << repeats);
    }
    return due;
  }

  /** Returns the last round that the sender has reported as sent. */
  long sentRound() {
    return sentRound;
  }

  long deadlineNanos() {
    return deadlineNanos;
  }

  void rollBack(long completedRounds) {
    if (sentRound >= completedRounds) {
      sentRound = NONE;
      deadlineNanos = NEVER;
    }
    receivedRound = Math.min(receivedRound, completedRounds - 1);
  }
}
