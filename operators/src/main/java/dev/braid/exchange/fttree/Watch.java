package dev.braid.exchange.fttree;

/**
 * What a backup knows of one transfer over a primary link that it guards: whether the sender says
 * that it has sent, and whether the receiver says that it has received (<em>fault-tolerant
 * tree</em>, Algorithms 1 and 2, "timeout").
 *
 * <p>The paper's time-out goes off once; this one again and again until the receiver has confirmed,
 * since what it asks for can be lost as well, and at growing intervals, since a link that is slower
 * than the time-out must not be filled up with what is sent again.
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

  /** Whether a confirmation is overdue. */
  boolean isDue(long nowNanos) {
    boolean due = deadlineNanos <= nowNanos;
    if (due) {
      repeats = Math.min(MAX_DOUBLINGS, repeats + 1);
      deadlineNanos = nowNanos + (timeoutNanos << repeats);
    }
    return due;
  }

  /** The last round that the sender has announced. */
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
