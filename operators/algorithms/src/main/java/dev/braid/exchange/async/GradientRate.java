package dev.braid.exchange.async;

import java.util.Arrays;

/**
 * Gradient rate γ: the number of gradients per second that a rank computes while nothing keeps it
 * waiting (Ako §3.2).
 *
 * <p>A gradient's time runs from the end of the previous one. It includes work for other ranks in
 * between, but not the time in which the exchange does not let the rank compute. The rate is the
 * mean over the latest gradients. Up to two gradients that took many times the mean of the others
 * are left out, as an evaluation or a checkpoint may have come between. Waits for a processor do
 * count, however uneven. Where ranks share processors, most gradients take about a millisecond, but
 * some take 20. A rank that did not count the slow ones would overestimate its rate.
 */
final class GradientRate {

  /** Minimum number of gradients before the rate is known. */
  static final int LEAST = 6;

  /** Number of latest gradients over which the mean is taken. */
  private static final int LATEST = 32;

  /** Maximum number of gradients that are left out as outliers. */
  private static final int INTERRUPTED = 2;

  /** Factor of the others' mean above which a gradient is an outlier. */
  private static final int OUTLIER = 10;

  private static final double NANOS_PER_SECOND = 1e9;

  private final long[] nanos = new long[LATEST];
  private long measured;

  /**
   * Time at which the last gradient was computed, plus the time that the rank was kept waiting
   * since, in nanoseconds.
   */
  private long beganNanos;

  private boolean waits;
  private long waitsSinceNanos;

  GradientRate(long nowNanos) {
    this.beganNanos = nowNanos;
  }

  /** Notes whether the rank may compute from {@code nowNanos} on. */
  void note(boolean may, long nowNanos) {
    if (waits) {
      beganNanos += nowNanos - waitsSinceNanos;
    }
    waits = !may;
    waitsSinceNanos = nowNanos;
  }

  /** Notes that a gradient was computed. */
  void computed(long nowNanos) {
    note(true, nowNanos);
    nanos[(int) (measured++ % LATEST)] = nowNanos - beganNanos;
    beganNanos = nowNanos;
  }

  /** Discards all measurements, because the processor time that other ranks leave has changed. */
  void forget() {
    measured = 0;
  }

  /** Returns whether enough gradients were measured. */
  boolean isKnown() {
    return measured >= LEAST;
  }

  double perSecond() {
    long[] sorted = Arrays.copyOf(nanos, (int) Math.min(measured, LATEST));
    Arrays.sort(sorted);
    int others = sorted.length - INTERRUPTED;
    long sum = Arrays.stream(sorted, 0, others).sum();
    double longest = (double) OUTLIER * sum / others;
    int counted = others;
    while (counted < sorted.length && sorted[counted] <= longest) {
      sum += sorted[counted++];
    }
    double mean = (double) sum / counted;
    return NANOS_PER_SECOND / Math.max(1, mean);
  }
}
