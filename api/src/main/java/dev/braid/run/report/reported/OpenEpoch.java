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
 * The workers' reports of an epoch, until each has reported. A worker that is restored from before
 * it had reported does so again, and the first report counts.
 *
 * <p>An epoch is evaluated when the whole test set is. Workers that are cut off have no part in
 * that, and report when they are back: how many samples they trained on, and how many they missed.
 * Where there are no views, each has its part of the test set, and one who is away leaves a gap.
 */
final class OpenEpoch {

  private final Map<Integer, Evaluated> parts = new TreeMap<>();

  /** Of other numbers of workers before. */
  private final List<Evaluated> earlier = new ArrayList<>();

  void add(Evaluated part) {
    if (part.isOfEarlierWorkers()) {
      earlier.add(part);
    } else {
      parts.putIfAbsent(part.rank(), part);
    }
  }

  /** What is left of the epoch is dealt to another number of workers, who all report. */
  void dealAnew() {
    parts.values().forEach(part -> earlier.add(part.ofEarlierWorkers()));
    parts.clear();
  }

  /** Whether all have reported. */
  boolean isComplete(int workers) {
    return parts.size() == workers;
  }

  /** Whether some have evaluated equal parts of the test set that are all of it. */
  boolean isEvaluated() {
    return byParts().entrySet().stream().anyMatch(of -> of.getValue().size() == of.getKey());
  }

  /**
   * Whether all have reported but some who are away; those who have are a majority, or half with
   * the first, and have evaluated something.
   */
  boolean lacksOnly(IntPredicate away, int workers) {
    boolean isMajority =
        2 * parts.size() > workers || (2 * parts.size() == workers && hasReported(0));
    return isMajority
        && sum().test().samples() > 0
        && IntStream.range(0, workers).allMatch(rank -> hasReported(rank) || away.test(rank));
  }

  boolean hasReported(int rank) {
    return parts.containsKey(rank);
  }

  EpochSum sum() {
    return EpochSum.of(Math.max(1, parts.size()), parts(), evaluated());
  }

  /** Those whose parts of the test set are all of it; else those who have most of it. */
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
    return some.values().stream().mapToLong(part -> part.test().samples()).sum();
  }

  /** By how many parts there are, and by which of them it is; without those who have none. */
  private Map<Integer, Map<Integer, Evaluated>> byParts() {
    Map<Integer, Map<Integer, Evaluated>> byParts = new TreeMap<>();
    for (Evaluated part : parts.values()) {
      if (part.parts() > 0) {
        byParts
            .computeIfAbsent(part.parts(), count -> new TreeMap<>())
            .putIfAbsent(part.part(), part);
      }
    }
    return byParts;
  }

  List<Evaluated> parts() {
    return Stream.concat(parts.values().stream(), earlier.stream()).toList();
  }
}
