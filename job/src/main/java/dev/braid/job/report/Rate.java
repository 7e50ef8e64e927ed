package dev.braid.job.report;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;

/**
 * Samples a second, and their mean loss, over the last few seconds; or over the last round of each
 * rank, where rounds take longer.
 *
 * <p>Each rank is counted by itself. All report within milliseconds of each other when a round is
 * complete, so that a time from one report to another rank's says nothing of how long the samples
 * took.
 */
final class Rate {

  private static final long WINDOW_NANOS = 3_000_000_000L;

  private record Part(long nanos, long samples, double lossSum) {}

  private final Map<Integer, ArrayDeque<Part>> byRank = new TreeMap<>();

  /** Adds what a rank has done since its last report. Its first only says when counting began. */
  void add(int rank, long nowNanos, long samples, double lossSum) {
    ArrayDeque<Part> parts = byRank.computeIfAbsent(rank, added -> new ArrayDeque<>());
    parts.addLast(new Part(nowNanos, samples, lossSum));
    while (isWindowFullWithoutFirst(parts, nowNanos)) {
      parts.removeFirst();
    }
  }

  private static boolean isWindowFullWithoutFirst(ArrayDeque<Part> parts, long nowNanos) {
    return parts.stream()
        .skip(1)
        .findFirst()
        .filter(second -> nowNanos - second.nanos() >= WINDOW_NANOS)
        .isPresent();
  }

  /** Whether counting has begun for a rank. */
  boolean counts(int rank) {
    return byRank.containsKey(rank);
  }

  /** A rank that is left out does nothing more. */
  void forget(int rank) {
    byRank.remove(rank);
  }

  /** Other ranks go on. */
  void forgetAll() {
    byRank.clear();
  }

  /** Of all ranks together; 0 before one has reported twice. */
  double samplesPerSecond() {
    return byRank.values().stream().mapToDouble(Rate::samplesPerSecond).sum();
  }

  private static double samplesPerSecond(ArrayDeque<Part> parts) {
    long nanos = parts.getLast().nanos() - parts.getFirst().nanos();
    // What the first part brought was done before the time that is counted.
    long samples = parts.stream().skip(1).mapToLong(Part::samples).sum();
    return nanos <= 0 ? 0 : samples * 1e9 / nanos;
  }

  double loss() {
    long samples = 0;
    double lossSum = 0;
    for (ArrayDeque<Part> parts : byRank.values()) {
      for (Part part : parts) {
        samples += part.samples();
        lossSum += part.lossSum();
      }
    }
    return samples == 0 ? 0 : lossSum / samples;
  }
}
