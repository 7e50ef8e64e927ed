package dev.braid.job.train;

import java.util.Optional;

/**
 * Notices that no round completes, at any worker. How long one takes is not known before: what
 * counts as a stall is some seconds, and several times what rounds have taken so far.
 */
final class StallWatch {

  private static final long LEAST_NANOS = 5_000_000_000L;

  /** Of the longest that passed between two rounds before. */
  private static final int TIMES_LONGEST = 3;

  /** Each line is this many times later than the one before: a long stall has few. */
  private static final int LINES_APART = 2;

  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private long round = -1;
  private long samples = -1;
  private long roundNanos;
  private long longestNanos;
  private long nextLineNanos;

  /**
   * What there is to say of a run, if it stands still.
   *
   * @param rounds how many are complete at the worker that has completed most
   * @param trained samples that all have trained on
   */
  Optional<String> stall(long rounds, long trained, long nowNanos) {
    if (rounds == round && trained != samples) {
      // One that was away does what others have done.
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

  /** Whatever the run has waited for up to now counts no more. */
  void beginAnew(long nowNanos) {
    roundNanos = nowNanos;
    nextLineNanos = threshold();
  }

  /** Whether it is time for another line of it, where lines pile up. */
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
