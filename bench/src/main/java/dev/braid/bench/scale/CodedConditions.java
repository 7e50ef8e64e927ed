package dev.braid.bench.scale;

import dev.braid.chaos.sim.condition.ComputeTime;
import dev.braid.chaos.sim.condition.Seeds;

/**
 * The cluster of CodedReduce's evaluation, as its model has it (§III-B): gradients take a shifted
 * exponential time (eq. 6), and whoever receives takes one message after the other. Two things are
 * added, without which the paper's figures of the ring and of large clusters have no cause: that a
 * message needs a time on its way besides, however short it is, and that a message takes the longer
 * to receive, the more senders there are at once.
 *
 * @param messageSeconds t_c, how long a receiver with one sender is busy with a gradient
 * @param shiftSeconds a·d, the least time for all samples
 * @param tailSeconds d/μ, the mean of what comes on top, for all samples
 * @param hopSeconds what each message is on its way besides
 * @param crowding β: with k senders a message takes t_c · k^β; 0 in the paper's model
 */
record CodedConditions(
    double messageSeconds,
    double shiftSeconds,
    double tailSeconds,
    double hopSeconds,
    double crowding) {

  private static final double NANOS_PER_SECOND = 1e9;

  /** How long a receiver is busy with a gradient of one of so many senders. */
  double messageSeconds(int senders) {
    return messageSeconds * Math.pow(senders, crowding);
  }

  /** How long a worker takes for its share of the samples. */
  double gradientSeconds(double load, long seed, int worker, long round) {
    double unit = -Math.log1p(-Seeds.of(seed, worker, round).nextDouble());
    return load * (shiftSeconds + tailSeconds * unit);
  }

  /** The same for the simulator. */
  ComputeTime computeTime(double load, long seed) {
    return (rank, round) -> Math.round(NANOS_PER_SECOND * gradientSeconds(load, seed, rank, round));
  }
}
