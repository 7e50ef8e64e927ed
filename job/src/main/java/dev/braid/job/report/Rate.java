package dev.braid.job.report;

import java.util.ArrayDeque;

/** Samples a second, and their mean loss, over the last few seconds. */
final class Rate {

  private static final long WINDOW_NANOS = 3_000_000_000L;

  private record Part(long nanos, long samples, double lossSum) {}

  private final ArrayDeque<Part> parts = new ArrayDeque<>();

  /** Adds what has been done up to now. The first part only says when counting began. */
  void add(long nowNanos, long samples, double lossSum) {
    parts.addLast(new Part(nowNanos, samples, lossSum));
    while (parts.size() > 2 && nowNanos - parts.peekFirst().nanos() > WINDOW_NANOS) {
      parts.removeFirst();
    }
  }

  double samplesPerSecond() {
    if (parts.size() < 2) {
      return 0;
    }
    long nanos = parts.peekLast().nanos() - parts.peekFirst().nanos();
    // What the first part brought was done before the time that is counted.
    long samples = parts.stream().skip(1).mapToLong(Part::samples).sum();
    return nanos <= 0 ? 0 : samples * 1e9 / nanos;
  }

  double loss() {
    long samples = parts.stream().mapToLong(Part::samples).sum();
    return samples == 0 ? 0 : parts.stream().mapToDouble(Part::lossSum).sum() / samples;
  }
}
