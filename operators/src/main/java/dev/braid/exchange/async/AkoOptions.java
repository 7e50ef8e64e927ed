package dev.braid.exchange.async;

import dev.braid.exchange.ExchangeOptions;

/**
 * What can be chosen of partial gradient exchange.
 *
 * @param partitions p, fixed; 0 to let the cost model choose, and choose again
 * @param accumulation whether gradients that wait are added up; if not, all but a round's own
 *     partition of its gradient is discarded
 * @param bandwidthBytesPerSecond B, what a worker can send; 0 to measure it
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
