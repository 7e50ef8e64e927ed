package dev.braid.exchange.async;

import dev.braid.exchange.ExchangeOptions;

/**
 * Options of partial gradient exchange.
 *
 * @param partitions fixed number of partitions, p; 0 lets the cost model choose it repeatedly
 * @param accumulation whether gradients over ranges that are not due are accumulated; if false,
 *     only the partition due in a gradient's own round is sent, and the rest is discarded
 * @param bandwidthBytesPerSecond bandwidth B of a worker, in bytes per second; 0 to measure it
 */
public record AkoOptions(int partitions, boolean accumulation, double bandwidthBytesPerSecond)
    implements ExchangeOptions.Choice {

  static AkoOptions of(ExchangeOptions options) {
    return new AkoOptions(
        options.get(AkoDescriptor.PARTITIONS),
        options.get(AkoDescriptor.ACCUMULATION),
        options.get(AkoDescriptor.BANDWIDTH));
  }

  @Override
  public ExchangeOptions in(ExchangeOptions options) {
    return options
        .with(AkoDescriptor.PARTITIONS, partitions)
        .with(AkoDescriptor.ACCUMULATION, accumulation)
        .with(AkoDescriptor.BANDWIDTH, bandwidthBytesPerSecond);
  }
}
