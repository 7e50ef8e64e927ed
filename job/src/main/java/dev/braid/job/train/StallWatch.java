package dev.braid.job.train;

import java.util.Optional;

/**
 * Detection that no worker completes a round. The duration of a round is not known in advance: a
 * stall lasts at least 5 s, and several times as long as rounds have taken so far.
 */
final class StallWatch {

  private static final long LEAST_NANOS = 5_000_000_000L;

  /** Least ratio of a stall to the longest time between two rounds before. */
  private static final int TIMES_LONGEST = 3;

  /** Ratio of the times of successive lines, so that a long stall has few lines. */
  private static final int LINES_APART = 2;

  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private long round = -1;
  private long samples = -1;
  private long roundNanos;
  private long longestNanos;
  private long nextLineNanos;

  /**
   * Returns a sentence if the run stalls.
   *
   * @param rounds number of rounds completed by the most advanced worker
   * @param trained number of samples on which all workers have trained
   */
  Optional<String> stall(long rounds, long trained, long nowNanos) {
    if (rounds == round && trained != samples) {
      // A worker that was unreachable catches up.
      beginAnew(nowNanos);
    }
    samples = trained;
    if (rounds != round) {
      boolean hasStood = stoodNanos(nowNanos) >= threshold();
      if (round >= 0 && rounds > round && !hasStood) {
        longestNanos = Math.max(longestNanos, (nowNanos - roundNanos) / (rounds - round));
      }
      round = rounds;
      roundNanos = nowNanos;
      nextLineNanos = threshold();
    }
    long stoodNanos = stoodNanos(nowNanos);
    return stoodNanos < threshold()
        ? Optional.empty()
        : Optional.of("no round for " + stoodNanos / NANOS_PER_SECOND + " s");
  }

  /** Restarts the measurement. */
  void beginAnew(long nowNanos) {
    roundNanos = nowNanos;
    nextLineNanos = threshold();
  }

  /** Returns whether another line is due, where lines are not overwritten. */
  boolean isLineDue(long nowNanos) {
    boolean isDue = stoodNanos(nowNanos) >= nextLineNanos;
    if (isDue) {
      nextLineNanos = LINES_APART * stoodNanos(nowNanos);
    }
    return isDue;
  }

  private long stoodNanos(long nowNanos) {
    return nowNanos - roundNanos;
  }

  private long threshold() {
    return Math.max(LEAST_NANOS, TIMES_LONGEST * longestNanos);
  }
}
