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
