package dev.braid.bench.scale;

import dev.braid.chaos.sim.condition.ComputeTime;
import dev.braid.chaos.sim.condition.Seeds;

/**
 * The cluster of CodedReduce's evaluation, as in its model (§III-B): the time of a gradient has a
 * shifted exponential distribution (eq. 6), and a receiver processes one message after the other.
 * Two effects are added, without which the paper's figures of the ring and of large clusters cannot
 * be explained: each message has an additional latency, whatever its length, and a message takes
 * longer to receive with more simultaneous senders.
 *
 * @param messageSeconds t_c, the time for which a receiver with one sender is busy with a gradient
 * @param shiftSeconds a·d, the shortest time for all samples
 * @param tailSeconds d/μ, the mean of the additional time for all samples
 * @param hopSeconds additional latency of each message
 * @param crowding β: with k senders a message takes t_c · k^β; 0 in the paper's model
 */
record CodedConditions(
    double messageSeconds,
    double shiftSeconds,
    double tailSeconds,
    double hopSeconds,
    double crowding) {

  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * Returns the time for which a receiver is busy with a gradient of one of {@code senders}
   * senders.
   */
  double messageSeconds(int senders) {
    return messageSeconds * Math.pow(senders, crowding);
  }

  /** Returns a worker's time for its share {@code load} of the samples. */
  double gradientSeconds(double load, long seed, int worker, long round) {
    double unit = -Math.log1p(-Seeds.of(seed, worker, round).nextDouble());
    return load * (shiftSeconds + tailSeconds * unit);
  }

  /** Returns the workers' time for a gradient in the simulator's form. */
  ComputeTime computeTime(double load, long seed) {
    return (rank, round) -> Math.round(NANOS_PER_SECOND * gradientSeconds(load, seed, rank, round));
  }
}
