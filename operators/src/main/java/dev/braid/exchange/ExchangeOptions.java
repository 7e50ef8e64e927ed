package dev.braid.exchange;

import java.io.Serializable;

/**
 * What a user can choose of an exchange, beyond which one it is.
 *
 * @param staleness τ: how many gradients a rank may be ahead of the slowest one, besides those that
 *     the exchange needs to tell them; 0 or more
 * @param ako what is chosen of {@link Ako}
 */
public record ExchangeOptions(int staleness, AkoOptions ako) implements Serializable {

  /**
   * What can be chosen of partial gradient exchange.
   *
   * @param partitions p, fixed; 0 to let the cost model choose, and choose again
   * @param accumulation whether gradients that wait are added up; if not, all but a round's own
   *     partition of its gradient is discarded
   * @param bandwidthBytesPerSecond B, what a worker can send; 0 to measure it
   */
  public record AkoOptions(int partitions, boolean accumulation, double bandwidthBytesPerSecond)
      implements Serializable {

    public AkoOptions {
      if (partitions < 0 || !(bandwidthBytesPerSecond >= 0)) {
        throw new IllegalArgumentException(
            partitions
                + " partitions, bandwidth of "
                + bandwidthBytesPerSecond
                + " bytes/s: neither may be negative");
      }
    }
  }

  public ExchangeOptions {
    if (staleness < 0) {
      throw new IllegalArgumentException("staleness " + staleness + ": 0 or more is needed");
    }
  }

  /** What is taken where the user has not chosen. */
  public static ExchangeOptions defaults(int ranks) {
    return new ExchangeOptions(defaultStaleness(ranks), new AkoOptions(0, true, 0));
  }

  /** It grows in proportion to the ranks (Ako §5.1). */
  public static int defaultStaleness(int ranks) {
    return Math.max(0, ranks);
  }

  /** The same with another τ. */
  public ExchangeOptions withStaleness(int other) {
    return new ExchangeOptions(other, ako);
  }

  /** The same with another choice for Ako. */
  public ExchangeOptions withAko(AkoOptions other) {
    return new ExchangeOptions(staleness, other);
  }
}
