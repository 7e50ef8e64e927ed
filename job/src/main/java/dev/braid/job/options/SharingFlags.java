package dev.braid.job.options;

import dev.braid.chaos.shape.LinkShape;
import dev.braid.cost.MeshTraffic;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.allreduce.mesh.MeshDescriptor;
import dev.braid.exchange.option.UnknownWordException;
import dev.braid.exchange.registry.ChosenExchange;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.job.console.UsageException;
import picocli.CommandLine.Option;

/** Options for the workers and their exchange, as typed. */
public final class SharingFlags {

  private static final double NANOS_PER_SECOND = 1e9;

  @Option(
      names = "--workers",
      paramLabel = "N|MIN..MAX",
      defaultValue = "4",
      description = {
        "Number of replicas of the model; each needs a Flink slot. MIN..MAX, on a "
            + "cluster with the adaptive scheduler: at most MAX, and at least MIN if the "
            + "cluster loses slots. One number: as many, and at least one if the cluster "
            + "loses slots.",
        "Default: ${DEFAULT-VALUE}"
      })
  private String workers;

  @Option(
      names = "--exchange",
      paramLabel = "NAME[:KEY=VALUE,...]",
      defaultValue = "ring",
      description = {
        "Exchange, by which workers share gradients, with its options, such as ako or "
            + "ako:partitions=4,staleness=2. 'braid exchanges' lists the exchanges; 'braid "
            + "exchanges ako' shows the options of one.",
        "Default: ${DEFAULT-VALUE}"
      })
  private String exchange;

  WorkerBounds bounds() {
    return WorkerBounds.parse(workers);
  }

  private ChosenExchange chosen() {
    return exchange("--exchange", exchange);
  }

  /**
   * Parses an exchange with its options.
   *
   * @param option name of the option, for messages
   * @throws UsageException if the exchange or its options are invalid
   */
  public static ChosenExchange exchange(String option, String text) {
    try {
      return ChosenExchange.of(text);
    } catch (UnknownWordException e) {
      String question = UsageException.question(e.word(), e.known());
      throw new UsageException(option + " " + e.getMessage() + question, e);
    } catch (IllegalArgumentException e) {
      throw new UsageException(option + " " + e.getMessage(), e);
    }
  }

  /**
   * Returns the exchange.
   *
   * @throws UsageException if it is unknown, or one of its options is invalid
   */
  ExchangeType exchange() {
    return chosen().type();
  }

  /**
   * Returns the options of the exchange.
   *
   * @param batch samples of a gradient
   * @throws UsageException if a value is impossible
   */
  ExchangeOptions options(int batch) {
    if (batch < 1) {
      throw new UsageException("--batch " + batch + ": must be 1 or more");
    }
    return chosen().options(bounds().most(), batch);
  }

  /**
   * Returns the options with the shape of links applied: a mesh then knows how slow its links are.
   */
  ExchangeOptions onLinks(ExchangeOptions options, LinkShape shape) {
    boolean areOfUse = exchange().descriptor().uses(MeshDescriptor.LINKS, options);
    if (!areOfUse || options.isChosen(MeshDescriptor.LINKS)) {
      return options;
    }
    MeshTraffic.Links usual = options.get(MeshDescriptor.LINKS);
    return options.with(
        MeshDescriptor.LINKS,
        new MeshTraffic.Links(
            Math.min(shape.bytesPerSecond(), usual.bytesPerSecond()),
            usual.latencySeconds() + shape.latencyNanos() / NANOS_PER_SECOND));
  }
}
