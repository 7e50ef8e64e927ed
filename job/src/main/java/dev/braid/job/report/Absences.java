package dev.braid.job.report;

import dev.braid.worker.Reports.Progress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Which ranks are away, where others go on without them: they have said nothing for a while, and
 * all who have say that they cannot reach them. A rank of which only one link is cut goes on, and
 * has more to say, even if it takes long over its part of the test set.
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

  /** A rank is done: it will not say any more who is back. */
  void finished(int rank) {
    heardNanos.remove(rank);
    missed.remove(rank);
  }

  boolean isAway(int rank, long nowNanos) {
    if (isSilent(rank, nowNanos)) {
      List<int[]> said =
          missed.entrySet().stream()
              .filter(of -> !isSilent(of.getKey(), nowNanos))
              .map(Map.Entry::getValue)
              .toList();
      return !said.isEmpty()
          && said.stream().allMatch(ranks -> IntStream.of(ranks).anyMatch(it -> it == rank));
    }
    return false;
  }

  private boolean isSilent(int rank, long nowNanos) {
    Long heard = heardNanos.get(rank);
    return heard == null || nowNanos - heard >= SILENT_NANOS;
  }
}
