package dev.braid.run.report.reported;

import dev.braid.exchange.Measured.Awaited;
import dev.braid.worker.report.Reports.Progress;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Determines which ranks are away while the others continue without them: such a rank has completed
 * no round for a while, and all ranks that report miss it. A rank that has lost only one link is
 * not away, even if it takes long to evaluate its part of the test set.
 */
public final class Absences {

  /**
   * Time without a completed round after which a rank is stalled; some rounds take longer than
   * others.
   */
  static final long SILENT_NANOS = 2_000_000_000L;

  private final Map<Integer, Progress> latest = new HashMap<>();
  private final Map<Integer, Long> heardNanos = new HashMap<>();
  private final Map<Integer, Long> advancedNanos = new HashMap<>();

  /** Adds a rank's progress, with the ranks that it misses. */
  void add(Progress progress, long nowNanos) {
    Progress before = latest.put(progress.rank(), progress);
    heardNanos.put(progress.rank(), nowNanos);
    if (before == null || before.round() != progress.round()) {
      advancedNanos.put(progress.rank(), nowNanos);
    }
  }

  /**
   * Removes a rank that has finished, since its last report would not show which ranks have
   * rejoined.
   */
  void finished(int rank) {
    latest.remove(rank);
    heardNanos.remove(rank);
    advancedNanos.remove(rank);
  }

  /**
   * Returns whether a rank is away.
   *
   * @param speaks selects the ranks whose recent reports count; ranks that are away themselves miss
   *     no other rank
   */
  boolean isAway(int rank, IntPredicate speaks, long nowNanos) {
    if (!standsStill(rank, nowNanos)) {
      return false;
    }
    List<int[]> said =
        latest.values().stream()
            .filter(progress -> speaks.test(progress.rank()))
            .filter(progress -> isSince(heardNanos, progress.rank(), nowNanos))
            .map(Progress::absent)
            .toList();
    return !said.isEmpty()
        && said.stream().allMatch(ranks -> IntStream.of(ranks).anyMatch(it -> it == rank));
  }

  /** Returns whether a rank has completed no round for a while, whether it is reachable or not. */
  public boolean standsStill(int rank, long nowNanos) {
    return !isSince(advancedNanos, rank, nowNanos);
  }

  /**
   * Names the workers that all others wait for: workers that are away and have the only copy of a
   * part of the optimiser's state, without which no step over that part is possible. Returns a
   * line, if there are such workers.
   */
  public Optional<String> awaited() {
    SortedSet<Awaited> all =
        new TreeSet<>(Comparator.comparingInt(Awaited::first).thenComparingInt(Awaited::second));
    long rounds = 0;
    for (Progress progress : latest.values()) {
      if (!progress.leftOut() && progress.awaited().length > 0) {
        all.addAll(List.of(progress.awaited()));
        rounds = Math.max(rounds, progress.round());
      }
    }
    if (all.isEmpty()) {
      return Optional.empty();
    }
    String whose = isOne(all.first()) ? "its part" : "their part";
    return Optional.of(
        String.format(
            Locale.ROOT,
            "after round %,d all workers wait for %s: no other worker has %s of the "
                + "optimiser's state",
            rounds,
            inWords(all.stream().map(Absences::inWords).toList()),
            all.size() > 1 ? "their parts" : whose));
  }

  private static boolean isOne(Awaited awaited) {
    return awaited.first() == awaited.second();
  }

  private static String inWords(Awaited awaited) {
    String first = "worker " + awaited.first();
    return isOne(awaited) ? first : first + " or worker " + awaited.second();
  }

  private static String inWords(List<String> names) {
    int last = names.size() - 1;
    return last == 0
        ? names.get(0)
        : String.join(", ", names.subList(0, last)) + ", and " + names.get(last);
  }

  private static boolean isSince(Map<Integer, Long> times, int rank, long nowNanos) {
    Long time = times.get(rank);
    return time != null && nowNanos - time < SILENT_NANOS;
  }
}
