package dev.braid.job.report;

import dev.braid.worker.Reports.Progress;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Which ranks are away, where others go on without them: one says that it cannot reach them, and
 * they themselves have said nothing for a while. A rank of which only one link is cut goes on, and
 * has more to say.
 */
final class Absences {

  /** Ranks say how they are getting on several times a second; some rounds take longer. */
  static final long SILENT_NANOS = 2_000_000_000L;

  private final Map<Integer, Long> heardNanos = new HashMap<>();
  private final Map<Integer, int[]> missed = new HashMap<>();

  /** A rank has said how it is getting on, and whom it misses. */
  void add(Progress progress, long nowNanos) {
    heardNanos.put(progress.rank(), nowNanos);
    missed.put(progress.rank(), progress.absent());
  }

  boolean isAway(int rank, long nowNanos) {
    Long heard = heardNanos.get(rank);
    boolean isSilent = heard == null || nowNanos - heard >= SILENT_NANOS;
    return isSilent
        && missed.values().stream().flatMapToInt(IntStream::of).anyMatch(other -> other == rank);
  }
}
