package dev.braid.cost;

import java.util.SplittableRandom;

/**
 * Gradient times as a random variable: the time that each worker takes in a round for its share of
 * the round's samples.
 */
@FunctionalInterface
public interface GradientTimes {

  /**
   * Draws the times of a round.
   *
   * @param load share of the round's samples that each worker computes
   * @param seconds written: times in seconds, by worker
   */
  void draw(double load, SplittableRandom random, double[] seconds);

  /**
   * Returns shifted exponential times (CodedReduce, eq. 6): a constant plus an exponentially
   * distributed time.
   *
   * @param shiftSeconds a·d, the constant for all samples of a round
   * @param meanSeconds d/μ, mean of the exponential part for all samples of a round
   */
  static GradientTimes shiftedExponential(double shiftSeconds, double meanSeconds) {
    return (load, random, seconds) -> {
      for (int worker = 0; worker < seconds.length; worker++) {
        seconds[worker] = load * (shiftSeconds - meanSeconds * Math.log1p(-random.nextDouble()));
      }
    };
  }

  /**
   * Returns Pareto-distributed times: most are little more than the minimum, and a few are very
   * long.
   *
   * @param leastSeconds minimum for all samples of a round
   * @param exponent tail exponent, more than 1; a smaller exponent makes the tail longer
   */
  static GradientTimes pareto(double leastSeconds, double exponent) {
    return (load, random, seconds) -> {
      for (int worker = 0; worker < seconds.length; worker++) {
        seconds[worker] = load * leastSeconds * Math.pow(1 - random.nextDouble(), -1 / exponent);
      }
    };
  }

  /**
   * Returns the same times, but multiplied by {@code times} for the first {@code workers} workers.
   */
  default GradientTimes withSlow(int workers, double times) {
    return (load, random, seconds) -> {
      draw(load, random, seconds);
      for (int worker = 0; worker < Math.min(workers, seconds.length); worker++) {
        seconds[worker] *= times;
      }
    };
  }

  /**
   * Returns times that are drawn from those measured at the same worker.
   *
   * @param secondsOfAll by worker: at least one measured time, divided by the share of the round's
   *     samples that it was measured for
   */
  static GradientTimes measured(double[][] secondsOfAll) {
    return (load, random, seconds) -> {
      for (int worker = 0; worker < seconds.length; worker++) {
        double[] known = secondsOfAll[worker];
        seconds[worker] = load * known[random.nextInt(known.length)];
      }
    };
  }
}
