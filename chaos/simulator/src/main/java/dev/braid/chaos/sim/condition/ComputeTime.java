package dev.braid.chaos.sim.condition;

import java.util.SplittableRandom;

/** Time that a rank takes for the gradient of a round, in virtual nanoseconds. */
@FunctionalInterface
public interface ComputeTime {

  /** Returns the time. Calls with the same rank and round return the same time. */
  long nanos(int rank, long round);

  /** Returns a constant time. */
  static ComputeTime constant(long nanos) {
    return (rank, round) -> nanos;
  }

  /** Returns a uniform distribution from {@code minNanos} to {@code maxNanos}. */
  static ComputeTime uniform(long seed, long minNanos, long maxNanos) {
    if (minNanos < 0 || maxNanos < minNanos) {
      throw new IllegalArgumentException(
          "compute time of %d to %d ns: must be 0 <= least <= greatest"
              .formatted(minNanos, maxNanos));
    }
    return (rank, round) -> Seeds.between(Seeds.of(seed, rank, round), minNanos, maxNanos);
  }

  /**
   * Returns the shifted exponential distribution of CodedReduce, equation 6: for d samples, P[T ≤
   * t] = 1 − exp(−(μ/d)(t − a·d)) for t ≥ a·d. No gradient takes less than a·d; a tail of mean d/μ
   * is added.
   *
   * @param samples d, samples per gradient
   * @param shiftNanosPerSample a, in nanoseconds per sample
   * @param ratePerNano μ, samples per nanosecond
   */
  static ComputeTime shiftedExponential(
      long seed, long samples, double shiftNanosPerSample, double ratePerNano) {
    if (samples < 0 || !(shiftNanosPerSample >= 0) || !(ratePerNano > 0)) {
      throw new IllegalArgumentException(
          ("compute time of %d samples, shift %s, rate %s: must be samples >= 0, shift >= 0, rate "
                  + "> 0")
              .formatted(samples, shiftNanosPerSample, ratePerNano));
    }
    return (rank, round) -> {
      double tail = -Math.log1p(-Seeds.of(seed, rank, round).nextDouble()) / ratePerNano;
      return Math.round(samples * (shiftNanosPerSample + tail));
    };
  }

  /**
   * Returns a time that is occasionally many times as long as this one: where others wait, so long
   * that time-outs of all kinds pass meanwhile.
   *
   * @param share share of the gradients that take longer, from 0 to 1
   * @param mostTimes greatest factor; the least is 1
   */
  default ComputeTime withOutliers(long seed, double share, double mostTimes) {
    if (!(share >= 0 && share <= 1) || !(mostTimes >= 1)) {
      throw new IllegalArgumentException(
          "a share of %s gradients takes up to %s times as long: must be 0 to 1, and at least 1"
              .formatted(share, mostTimes));
    }
    return (rank, round) -> {
      SplittableRandom random = Seeds.of(seed, -7, rank, round);
      long usual = nanos(rank, round);
      return random.nextDouble() < share
          ? Math.round(usual * (1 + random.nextDouble() * (mostTimes - 1)))
          : usual;
    };
  }

  /**
   * Returns this time, with one rank slower by a factor in rounds from {@code first} to {@code
   * last}.
   */
  default ComputeTime straggling(int straggler, double factor, long first, long last) {
    return (rank, round) -> {
      boolean slow = rank == straggler && first <= round && round <= last;
      return slow ? Math.round(nanos(rank, round) * factor) : nanos(rank, round);
    };
  }
}
