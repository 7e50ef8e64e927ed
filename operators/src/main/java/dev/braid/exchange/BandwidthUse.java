package dev.braid.exchange;

/**
 * What the cost model goes by, and what it has chosen (Ako §3.2).
 *
 * @param partitions p, in force at this rank
 * @param gradientsPerSecond γ, what this rank computes while nothing keeps it waiting; 0 while it
 *     is not known
 * @param bytesPerSecond B, what this rank can send, as it was given or measured; 0 while it is not
 *     known
 */
public record BandwidthUse(int partitions, double gradientsPerSecond, double bytesPerSecond) {}
