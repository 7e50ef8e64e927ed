package dev.braid.job.train;

import dev.braid.run.result.Status;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * Detection that a run is over for some workers but waits for others, which were unreachable and
 * still have rounds to complete.
 */
final class EndWatch {

  /** Shortest wait that is reported. Workers may finish one after the other within it. */
  private static final long LEAST_NANOS = 2_000_000_000L;

  /** Ratio of the times of successive lines, so that a long wait has few lines. */
  private static final int LINES_APART = 2;

  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private OptionalLong sinceNanos = OptionalLong.empty();
  private long nextLineNanos = LEAST_NANOS;

  /** Returns the workers that a run waits for, once it has waited for a while. */
  Optional<String> waitsFor(Status status, long nowNanos) {
    if (status.behind().isEmpty()) {
      sinceNanos = OptionalLong.empty();
      nextLineNanos = LEAST_NANOS;
      return Optional.empty();
    }
    if (sinceNanos.isEmpty()) {
      sinceNanos = OptionalLong.of(nowNanos);
    }
    return waitedNanos(nowNanos) < LEAST_NANOS
        ? Optional.empty()
        : Optional.of(
            "all epochs are finished; for "
                + waitedNanos(nowNanos) / NANOS_PER_SECOND
                + " s the run has waited for "
                + status.behind().stream()
                    .map(
                        behind ->
                            String.format(
                                Locale.ROOT,
                                "worker %d (round %,d of %,d)",
                                behind.worker(),
                                behind.round(),
                                status.round()))
                    .collect(Collectors.joining(", ")));
  }

  /** Returns whether another line is due, where lines are not overwritten. */
  boolean isLineDue(long nowNanos) {
    boolean isDue = waitedNanos(nowNanos) >= nextLineNanos;
    if (isDue) {
      nextLineNanos = LINES_APART * waitedNanos(nowNanos);
    }
    return isDue;
  }

  private long waitedNanos(long nowNanos) {
    return nowNanos - sinceNanos.orElse(nowNanos);
  }
}
