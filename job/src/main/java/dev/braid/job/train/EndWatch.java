package dev.braid.job.train;

import dev.braid.run.result.Status;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * Notices that a run is over for some of its workers, and waits for others, who have been cut off:
 * they are to do all their rounds, too.
 */
final class EndWatch {

  /** Workers may come to the end one after the other without anything to tell. */
  private static final long LEAST_NANOS = 2_000_000_000L;

  /** Each line is this many times later than the one before: a long wait has few. */
  private static final int LINES_APART = 2;

  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private OptionalLong sinceNanos = OptionalLong.empty();
  private long nextLineNanos = LEAST_NANOS;

  /** Whom a run waits for, once it has for a while. */
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

  /** Whether it is time for another line of it, where lines pile up. */
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
