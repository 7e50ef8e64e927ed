package dev.braid.exchange;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a user can choose of an exchange, beyond which one it is.
 *
 * @param batch samples of a full gradient, at least 1: where gradients are applied one by one, each
 *     sample counts for 1/(n · batch) of a step
 * @param staleness τ: how many gradients a rank may be ahead of the slowest one, besides those that
 *     the exchange needs to tell them; 0 or more
 * @param averagingInterval k: batches between two averages of parameter averaging; at least 1
 * @param ako what is chosen of partial gradient exchange
 * @param servers what is chosen of parameter servers
 * @param linkTimeout after how long a silent link counts as failed, where the exchange cares
 * @param faultyLinks whether messages may be lost, repeated or overtaken, as under chaos
 */
public record ExchangeOptions(
    int batch,
    int staleness,
    int averagingInterval,
    AkoOptions ako,
    ServerOptions servers,
    LinkTimeout linkTimeout,
    boolean faultyLinks)
    implements Serializable {

  /** Sends a fifth of what synchronous training sends, before replicas are far apart. */
  public static final int DEFAULT_AVERAGING_INTERVAL = 5;

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

  /** How far apart a parameter server lets its workers be. */
  public enum Consistency {
    /** One step for the gradients of all workers. */
    SYNC("sync"),
    /** A step for each gradient, at each worker's own pace (Downpour). */
    ASYNC("async"),
    /** As ASYNC, but no worker is ahead by more than τ (stale synchronous parallel). */
    SSP("ssp");

    private final String title;

    Consistency(String title) {
      this.title = title;
    }

    /** The name on the command line. */
    public String title() {
      return title;
    }

    /** The one of this name. */
    public static Optional<Consistency> named(String name) {
      return Arrays.stream(values()).filter(value -> value.title.equals(name)).findFirst();
    }

    /** All names, for help texts and errors. */
    public static String titles() {
      return Arrays.stream(values()).map(Consistency::title).collect(Collectors.joining(", "));
    }
  }

  /**
   * What can be chosen of parameter servers.
   *
   * @param dedicated how many ranks serve and compute nothing, behind those that compute; 0 to have
   *     every worker serve as well. Always 0 with exchanges that have no servers
   * @param consistency what workers wait for
   */
  public record ServerOptions(int dedicated, Consistency consistency) implements Serializable {

    /** Every worker serves, and all wait for each other. */
    public static final ServerOptions DEFAULT = new ServerOptions(0, Consistency.SYNC);

    public ServerOptions {
      if (dedicated < 0) {
        throw new IllegalArgumentException(dedicated + " servers: 0 or more are needed");
      }
    }
  }

  public ExchangeOptions {
    if (batch < 1 || staleness < 0 || averagingInterval < 1) {
      throw new IllegalArgumentException(
          "batch of %d, staleness %d, an average every %d batches: 1, 0 and 1 are the least"
              .formatted(batch, staleness, averagingInterval));
    }
  }

  /** What is taken where the user has not chosen, with a batch of one. */
  public static ExchangeOptions defaults(int ranks) {
    return new ExchangeOptions(
        1,
        defaultStaleness(ranks),
        DEFAULT_AVERAGING_INTERVAL,
        new AkoOptions(0, true, 0),
        ServerOptions.DEFAULT,
        LinkTimeout.ADAPTIVE,
        false);
  }

  /** It grows in proportion to the ranks (Ako §5.1). */
  public static int defaultStaleness(int ranks) {
    return Math.max(0, ranks);
  }

  /** The same with another batch. */
  public ExchangeOptions withBatch(int samples) {
    return new ExchangeOptions(
        samples, staleness, averagingInterval, ako, servers, linkTimeout, faultyLinks);
  }

  /** The same with another τ. */
  public ExchangeOptions withStaleness(int other) {
    return new ExchangeOptions(
        batch, other, averagingInterval, ako, servers, linkTimeout, faultyLinks);
  }

  /** The same with another k. */
  public ExchangeOptions withAveragingInterval(int batches) {
    return new ExchangeOptions(batch, staleness, batches, ako, servers, linkTimeout, faultyLinks);
  }

  /** The same with another choice for Ako. */
  public ExchangeOptions withAko(AkoOptions other) {
    return new ExchangeOptions(
        batch, staleness, averagingInterval, other, servers, linkTimeout, faultyLinks);
  }

  /** The same with other servers. */
  public ExchangeOptions withServers(ServerOptions other) {
    return new ExchangeOptions(
        batch, staleness, averagingInterval, ako, other, linkTimeout, faultyLinks);
  }

  /** The same with another time-out. */
  public ExchangeOptions withLinkTimeout(LinkTimeout other) {
    return new ExchangeOptions(
        batch, staleness, averagingInterval, ako, servers, other, faultyLinks);
  }

  /** The same for links that may fail. */
  public ExchangeOptions withFaultyLinks() {
    return new ExchangeOptions(
        batch, staleness, averagingInterval, ako, servers, linkTimeout, true);
  }
}
