package dev.braid.exchange;

import dev.braid.cost.BandwidthCost;

/**
 * Inputs and result of the bandwidth cost model (Ako §3.2).
 *
 * @param partitions p, the number of partitions in use at this rank
 * @param gradientsPerSecond γ, the rate at which this rank computes gradients when it never waits;
 *     0 if unknown
 * @param bytesPerSecond B, the bandwidth at which this rank can send, configured or measured; 0 if
 *     unknown
 * @param plannedBytesPerSecond γ·m·(n − 1)/p, the rate at which this rank sends if the model is
 *     right; 0 if γ is unknown
 */
public record BandwidthUse(
    int partitions,
    double gradientsPerSecond,
    double bytesPerSecond,
    double plannedBytesPerSecond) {

  /** Returns the use that the cost model predicts for a rank. */
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
