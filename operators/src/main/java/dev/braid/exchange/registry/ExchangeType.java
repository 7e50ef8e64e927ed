package dev.braid.exchange.registry;

import dev.braid.exchange.Asynchronous;
import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.LinkTimeout;
import dev.braid.exchange.Port;
import dev.braid.exchange.StateFormat;
import dev.braid.exchange.Synchronous;
import dev.braid.exchange.allreduce.ParameterAveraging;
import dev.braid.exchange.allreduce.RingAllreduce;
import dev.braid.exchange.allreduce.TreeAllreduce;
import dev.braid.exchange.async.Ako;
import dev.braid.exchange.async.AllToAll;
import dev.braid.exchange.async.GossipGrad;
import dev.braid.exchange.fttree.BraidedTree;
import dev.braid.exchange.fttree.FaultTolerantTree;
import dev.braid.exchange.server.AsynchronousServers;
import dev.braid.exchange.server.SynchronousServers;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/** The exchanges that Braid knows, by the names that users type. */
public enum ExchangeType {
  RING(
      "ring",
      true,
      "bandwidth-optimal ring allreduce (reduce-scatter and all-gather)",
      RingAllreduce::new),
  TREE("tree", true, "pipelined binary tree allreduce (reduce and broadcast)", TreeAllreduce::new),
  FT_TREE(
      "ft-tree",
      true,
      "binary tree allreduce that goes around failed links",
      ExchangeType::faultTolerantTree),
  AVERAGING(
      "averaging",
      true,
      "batches of each worker's own, then the mean of the models",
      ParameterAveraging::new) {
    /** Workers that count up to another number of batches would not average together. */
    @Override
    String stateName(ExchangeOptions options) {
      return title() + " every " + options.averagingInterval() + " batches";
    }
  },
  ALL_TO_ALL("all-to-all", false, "the full gradient to every worker, asynchronous", AllToAll::new),
  AKO(
      "ako",
      false,
      "partial gradient exchange, as much as the network bears, asynchronous",
      Ako::new),
  PS(
      "ps",
      true,
      "parameter servers: dedicated or at the workers, synchronous or not",
      ExchangeType::servers) {
    @Override
    public boolean isSynchronous(ExchangeOptions options) {
      return options.servers().consistency() == ExchangeOptions.Consistency.SYNC;
    }

    @Override
    String stateName(ExchangeOptions options) {
      return title() + " " + options.servers().consistency().title();
    }
  },
  GOSSIP(
      "gossip",
      false,
      "the mean with one partner after the other (GossipGraD), asynchronous",
      GossipGrad::new);

  private final String title;
  private final boolean synchronous;
  private final String summary;

  /** The bare algorithm, for links that lose nothing. */
  @SuppressWarnings("ImmutableEnumChecker") // a constructor
  private final BiFunction<ExchangeConfig, Port, Exchange> algorithm;

  ExchangeType(
      String title,
      boolean synchronous,
      String summary,
      BiFunction<ExchangeConfig, Port, Exchange> algorithm) {
    this.title = title;
    this.synchronous = synchronous;
    this.summary = summary;
    this.algorithm = algorithm;
  }

  private static Exchange faultTolerantTree(ExchangeConfig config, Port port) {
    return config.options().linkTimeout() instanceof LinkTimeout.Fixed fixed
        ? new FaultTolerantTree(config, port, fixed.time().toNanos())
        : new BraidedTree(config, port);
  }

  private static Exchange servers(ExchangeConfig config, Port port) {
    return PS.isSynchronous(config.options())
        ? new SynchronousServers(config, port)
        : new AsynchronousServers(config, port);
  }

  /** The name on the command line. */
  public String title() {
    return title;
  }

  /** Whether all that this makes with these options is {@link Synchronous}; else asynchronous. */
  public boolean isSynchronous(ExchangeOptions options) {
    return synchronous;
  }

  /** Whose state the ranks of this write, with these options, and whose they can read. */
  public StateFormat stateFormat(ExchangeOptions options) {
    return new StateFormat(stateName(options), stateVersion());
  }

  String stateName(ExchangeOptions options) {
    return title;
  }

  /** Goes up with each change of what {@link Stateful#writeState} writes. */
  int stateVersion() {
    return 1;
  }

  /** What it does, in a line. */
  public String summary() {
    return summary;
  }

  /**
   * One rank's part of this exchange. Where links may fail, it is given a transport that repeats
   * what was lost; {@code ft-tree} has its own.
   */
  public Exchange create(ExchangeConfig config, Port port) {
    boolean needsTransport = this != FT_TREE && config.ranks() > 1;
    if (!config.options().faultyLinks() || !needsTransport) {
      return algorithm.apply(config, port);
    }
    return isSynchronous(config.options())
        ? new ReliableSynchronous(config, port, algorithm.andThen(Synchronous.class::cast))
        : new ReliableAsynchronous(config, port, algorithm.andThen(Asynchronous.class::cast));
  }

  /** The exchange of this name. */
  public static Optional<ExchangeType> named(String name) {
    return Arrays.stream(values()).filter(type -> type.title.equals(name)).findFirst();
  }

  /** All names, for help texts and errors. */
  public static String titles() {
    return Arrays.stream(values()).map(ExchangeType::title).collect(Collectors.joining(", "));
  }
}
