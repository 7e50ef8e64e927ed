package dev.braid.cost;

import java.util.SplittableRandom;

/**
 * How long gradients take, as a random variable: the time of each worker of a round for a share of
 * the round's samples.
 */
@FunctionalInterface
public interface GradientTimes {

  /**
   * Draws a round's times.
   *
   * @param load the share of all samples that each worker computes
   * @param seconds by worker; written
   */
  void draw(double load, SplittableRandom random, double[] seconds);

  /**
   * Shifted exponential (CodedReduce, eq. 6): at least the shift, and then as if what is left could
   * end at any moment.
   *
   * @param shiftSeconds a·d, for all samples of a round
   * @param meanSeconds d/μ, of what comes on top, for all samples
   */
  static GradientTimes shiftedExponential(double shiftSeconds, double meanSeconds) {
    return (load, random, seconds) -> {
      for (int worker = 0; worker < seconds.length; worker++) {
        seconds[worker] = load * (shiftSeconds - meanSeconds * Math.log1p(-random.nextDouble()));
      }
    };
  }

  /**
   * Pareto: most take little more than the least, and a few take very long.
   *
   * @param leastSeconds for all samples of a round
   * @param exponent of the tail, more than 1: the smaller, the longer it is
   */
  static GradientTimes pareto(double leastSeconds, double exponent) {
    return (load, random, seconds) -> {
      for (int worker = 0; worker < seconds.length; worker++) {
        seconds[worker] = load * leastSeconds * Math.pow(1 - random.nextDouble(), -1 / exponent);
      }
    };
  }

  /** The same, but for some workers, the first ones, who take so many times longer. */
  default GradientTimes withSlow(int workers, double times) {
    return (load, random, seconds) -> {
      draw(load, random, seconds);
      for (int worker = 0; worker < Math.min(workers, seconds.length); worker++) {
        seconds[worker] *= times;
      }
    };
  }

  /**
   * As they were measured: each worker's next time is one that it has had.
   *
   * @param secondsOfAll for all samples of a round, by worker: the times measured of some, divided
   *     by their share; at least one of each
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
