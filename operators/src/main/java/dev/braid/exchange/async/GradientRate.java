package dev.braid.exchange.async;

import java.util.Arrays;

/**
 * γ: how many gradients a second a rank computes while nothing keeps it waiting (Ako §3.2).
 * Measured from one gradient to the next, with what is done for the others in between, but without
 * the time in which the exchange does not let the rank compute. It is the mean over the latest
 * gradients, without an evaluation and a checkpoint between two: one or two that took many times
 * what the mean of the others did. Waits for a processor do count, however uneven: where ranks
 * share processors, most gradients take a millisecond, and some twenty, and a rank that did not
 * count those would take itself for faster than it is.
 */
final class GradientRate {

  /** From so few gradients on, there is a rate. */
  static final int LEAST = 6;

  /** Of so many gradients, the mean is taken. */
  private static final int LATEST = 32;

  /** So many may have taken long for another reason. */
  private static final int INTERRUPTED = 2;

  /** They do not count if they took more than so many times the mean of the others. */
  private static final int OUTLIER = 10;

  private static final double NANOS_PER_SECOND = 1e9;

  private final long[] nanos = new long[LATEST];
  private long measured;

  /** When the last gradient was computed, later by what the rank was kept waiting since. */
  private long beganNanos;

  private boolean waits;
  private long waitsSinceNanos;

  GradientRate(long nowNanos) {
    this.beganNanos = nowNanos;
  }

  /** The rank may compute, or may not, from now on. */
  void mayCompute(boolean may, long nowNanos) {
    if (waits) {
      beganNanos += nowNanos - waitsSinceNanos;
    }
    waits = !may;
    waitsSinceNanos = nowNanos;
  }

  /** A gradient is computed. */
  void computed(long nowNanos) {
    mayCompute(true, nowNanos);
    nanos[(int) (measured++ % LATEST)] = nowNanos - beganNanos;
    beganNanos = nowNanos;
  }

  /** Begins anew: what other ranks leave of the processor has changed. */
  void forget() {
    measured = 0;
  }

  /** Whether there are enough of them. */
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
