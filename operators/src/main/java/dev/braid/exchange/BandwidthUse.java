package dev.braid.exchange;

import dev.braid.cost.BandwidthCost;

/**
 * What the cost model goes by, and what it has chosen (Ako §3.2).
 *
 * @param partitions p, in force at this rank
 * @param gradientsPerSecond γ, what this rank computes while nothing keeps it waiting; 0 while it
 *     is not known
 * @param bytesPerSecond B, what this rank can send, as it was given or measured; 0 while it is not
 *     known
 * @param plannedBytesPerSecond γ·m·(n − 1)/p, what this rank sends if the model is right; 0 while γ
 *     is not known
 */
public record BandwidthUse(
    int partitions,
    double gradientsPerSecond,
    double bytesPerSecond,
    double plannedBytesPerSecond) {

  /** What a rank plans for that goes by the cost model. */
  public static BandwidthUse of(
      int partitions, double gradientsPerSecond, double bytesPerSecond, ExchangeConfig config) {
    long modelBytes = (long) config.length() * Float.BYTES;
    return new BandwidthUse(
        partitions,
        gradientsPerSecond,
        bytesPerSecond,
        BandwidthCost.bytesPerSecond(gradientsPerSecond, modelBytes, config.ranks(), partitions));
  }
}
