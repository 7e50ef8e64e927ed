package dev.braid.job.options;

import dev.braid.cost.BandwidthCost;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.ExchangeOptions.Consistency;
import dev.braid.exchange.ExchangeOptions.ServerOptions;
import dev.braid.exchange.LinkTimeout;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.job.console.UsageException;
import picocli.CommandLine.Option;

/** How many workers there are and how they share gradients, as it is typed. */
final class SharingFlags {

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "4",
      description = {
        "Replicas of the model, each in a slot of Flink.",
        "Default: ${DEFAULT-VALUE}"
      })
  private int workers;

  @Option(
      names = "--exchange",
      paramLabel = "NAME",
      defaultValue = "ring",
      description = {
        "How workers share gradients: ring, tree or ft-tree (allreduce; ft-tree goes around failed"
            + " links), averaging (of models, now and then), ps (parameter servers); or,"
            + " asynchronous, ako, all-to-all, gossip, or ps.",
        "Default: ${DEFAULT-VALUE}"
      })
  private String exchange;

  @Option(
      names = "--link-timeout",
      paramLabel = "TIME",
      defaultValue = "adaptive",
      description = {
        "For ft-tree: after how long a silent link counts as failed, such as 500ms; or adaptive,"
            + " a few round trips.",
        "Default: ${DEFAULT-VALUE}"
      })
  private LinkTimeout linkTimeout;

  @Option(
      names = "--staleness",
      paramLabel = "N",
      description = {
        "Asynchronous exchanges, and ps with ssp: how many gradients a worker may be ahead of the slowest, besides"
            + " those that the exchange needs to tell them.",
        "Default: as many as there are workers"
      })
  private Integer staleness;

  @Option(
      names = "--servers",
      paramLabel = "K",
      defaultValue = "0",
      description = {
        "Parameter servers: ranks that keep a part of the model each and compute nothing, in slots"
            + " besides those of the workers; 0 to have every worker serve a part.",
        "Default: ${DEFAULT-VALUE}"
      })
  private int servers;

  @Option(
      names = "--consistency",
      paramLabel = "NAME",
      description = {
        "Parameter servers: sync, one step for the gradients of all; async, a step for each"
            + " gradient, at each worker's own pace; or ssp, as async within --staleness.",
        "Default: sync"
      })
  private String consistency;

  @Option(
      names = "--averaging-interval",
      paramLabel = "K",
      defaultValue = "" + ExchangeOptions.DEFAULT_AVERAGING_INTERVAL,
      description = {
        "Averaging: batches that each worker trains on between two averages.",
        "Default: ${DEFAULT-VALUE}"
      })
  private int averagingInterval;

  @Option(
      names = "--ako-partitions",
      paramLabel = "P",
      description = {
        "Ako: into how many parts a gradient is cut, one of which goes to each worker in a round.",
        "Default: as many as the bandwidth needs, by Ako's cost model, measured again and again"
      })
  private Integer akoPartitions;

  @Option(
      names = "--ako-accumulation",
      paramLabel = "on|off",
      defaultValue = "on",
      description = {
        "Ako: whether parts that wait for their turn are added up, or discarded.",
        "Default: ${DEFAULT-VALUE}"
      })
  private String akoAccumulation;

  @Option(
      names = "--bandwidth",
      paramLabel = "RATE",
      description = {
        "Ako: what the network carries away from a worker, such as 100mbit, 1gbit.",
        "Default: measured"
      })
  private String bandwidth;

  int workers() {
    return workers;
  }

  /**
   * The exchange.
   *
   * @throws UsageException if there is none of that name
   */
  ExchangeType exchange() {
    return ExchangeType.named(exchange)
        .orElseThrow(
            () -> UsageException.unknownName("--exchange", exchange, ExchangeType.titles()));
  }

  /**
   * What is chosen of the exchange.
   *
   * @param batch samples of a gradient
   * @param faultyLinks whether chaos events may come
   * @throws UsageException if a value is impossible
   */
  ExchangeOptions options(int batch, boolean faultyLinks) {
    int bound = staleness == null ? ExchangeOptions.defaultStaleness(workers) : staleness;
    if (bound < 0) {
      throw new UsageException("--staleness " + bound + ": 0 or more is needed");
    }
    if (batch < 1) {
      throw new UsageException("--batch " + batch + ": 1 or more is needed");
    }
    if (averagingInterval < 1) {
      throw new UsageException(
          "--averaging-interval " + averagingInterval + ": 1 or more is needed");
    }
    return new ExchangeOptions(
        batch, bound, averagingInterval, ako(), servers(), linkTimeout, faultyLinks);
  }

  private ServerOptions servers() {
    if (servers < 0) {
      throw new UsageException("--servers " + servers + ": 0 or more is needed");
    }
    return exchange() == ExchangeType.PS
        ? new ServerOptions(servers, consistency())
        : ServerOptions.DEFAULT;
  }

  private Consistency consistency() {
    if (consistency == null) {
      return Consistency.SYNC;
    }
    return Consistency.named(consistency)
        .orElseThrow(
            () -> UsageException.unknownName("--consistency", consistency, Consistency.titles()));
  }

  private ExchangeOptions.AkoOptions ako() {
    if (akoPartitions != null
        && (akoPartitions < 1 || akoPartitions > BandwidthCost.MAX_PARTITIONS)) {
      throw new UsageException(
          "--ako-partitions "
              + akoPartitions
              + ": 1 to "
              + BandwidthCost.MAX_PARTITIONS
              + " is needed");
    }
    if (!akoAccumulation.equals("on") && !akoAccumulation.equals("off")) {
      throw UsageException.unknownName("--ako-accumulation", akoAccumulation, "on, off");
    }
    return new ExchangeOptions.AkoOptions(
        akoPartitions == null ? 0 : akoPartitions,
        akoAccumulation.equals("on"),
        bandwidth == null ? 0 : Bandwidth.bytesPerSecond("--bandwidth", bandwidth));
  }
}
