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
 * Which ranks are away, where others go on without them: they have completed no round for a while,
 * and all who speak say that they cannot reach them. A rank of which only one link is cut goes on,
 * even if it takes long over its part of the test set.
 */
public final class Absences {

  /** Some rounds take longer than others. */
  static final long SILENT_NANOS = 2_000_000_000L;

  private final Map<Integer, Progress> latest = new HashMap<>();
  private final Map<Integer, Long> heardNanos = new HashMap<>();
  private final Map<Integer, Long> advancedNanos = new HashMap<>();

  /** A rank has said how it is getting on, and whom it misses. */
  void add(Progress progress, long nowNanos) {
    Progress before = latest.put(progress.rank(), progress);
    heardNanos.put(progress.rank(), nowNanos);
    if (before == null || before.round() != progress.round()) {
      advancedNanos.put(progress.rank(), nowNanos);
    }
  }

  /** A rank is done: it will not say any more who is back. */
  void finished(int rank) {
    latest.remove(rank);
    heardNanos.remove(rank);
    advancedNanos.remove(rank);
  }

  /**
   * Whether a rank is away.
   *
   * @param speaks who is asked, of those that have said something of late: ranks that are away
   *     themselves miss nobody
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

  /** Whether a rank has completed no round for a while, whoever reaches it. */
  public boolean standsStill(int rank, long nowNanos) {
    return !isSince(advancedNanos, rank, nowNanos);
  }

  /**
   * Whom all wait for, where ranks are away who alone have a part of the optimiser's state: nobody
   * can take the step over it. A line, if there is such a rank.
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
