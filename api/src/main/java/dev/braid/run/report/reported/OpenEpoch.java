package dev.braid.run.report.reported;

import dev.braid.worker.report.Reports.Evaluated;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Workers' reports of an epoch, until each worker has reported. A worker that is restored from
 * before its report reports again; the first report counts.
 *
 * <p>An epoch is evaluated when the whole test set is. With views, the members evaluate all of it;
 * excluded workers report after they rejoin how many samples they trained on and how many they
 * missed. Without views, each worker has its part of the test set, and a worker that is away leaves
 * a gap.
 */
final class OpenEpoch {

  private final Map<Integer, Evaluated> parts = new TreeMap<>();

  /** Reports from before the number of workers changed. */
  private final List<Evaluated> earlier = new ArrayList<>();

  void add(Evaluated part) {
    if (part.isOfEarlierWorkers()) {
      earlier.add(part);
    } else {
      parts.putIfAbsent(part.rank(), part);
    }
  }

  /** Continues with another number of workers, which share the rest of the epoch and all report. */
  void dealAnew() {
    parts.values().forEach(part -> earlier.add(part.ofEarlierWorkers()));
    parts.clear();
  }

  /** Returns whether all workers have reported. */
  boolean isComplete(int workers) {
    return parts.size() == workers;
  }

  /** Returns whether workers have evaluated parts that together are the whole test set. */
  boolean isEvaluated() {
    return byParts().entrySet().stream().anyMatch(of -> of.getValue().size() == of.getKey());
  }

  /**
   * Returns whether only workers that are away have not reported. The others must be a majority, or
   * half with worker 0, and have evaluated something.
   */
  boolean lacksOnly(IntPredicate away, int workers) {
    boolean isMajority =
        2 * parts.size() > workers || (2 * parts.size() == workers && hasReported(0));
    return isMajority
        && sum().total().test().samples() > 0
        && IntStream.range(0, workers).allMatch(rank -> hasReported(rank) || away.test(rank));
  }

  boolean hasReported(int rank) {
    return parts.containsKey(rank);
  }

  EpochSum sum() {
    return EpochSum.of(Math.max(1, parts.size()), parts(), evaluated());
  }

  /**
   * Returns the reports whose parts together are the whole test set; else those that cover most of
   * it.
   */
  private Collection<Evaluated> evaluated() {
    Map<Integer, Map<Integer, Evaluated>> byParts = byParts();
    return byParts.entrySet().stream()
        .filter(of -> of.getValue().size() == of.getKey())
        .map(Map.Entry::getValue)
        .findFirst()
        .or(() -> byParts.values().stream().max(Comparator.comparingLong(OpenEpoch::testSamples)))
        .map(Map::values)
        .orElse(List.of());
  }

  private static long testSamples(Map<Integer, Evaluated> some) {
    return some.values().stream().mapToLong(part -> part.sums().test().samples()).sum();
  }

  /**
   * Returns the reports by number of parts, then by index of the part, without those that have no
   * part.
   */
  private Map<Integer, Map<Integer, Evaluated>> byParts() {
    Map<Integer, Map<Integer, Evaluated>> byParts = new TreeMap<>();
    for (Evaluated part : parts.values()) {
      if (part.share().parts() > 0) {
        byParts
            .computeIfAbsent(part.share().parts(), count -> new TreeMap<>())
            .putIfAbsent(part.share().part(), part);
      }
    }
    return byParts;
  }

  List<Evaluated> parts() {
    return Stream.concat(parts.values().stream(), earlier.stream()).toList();
  }
}
