package dev.braid.exchange;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** The exchanges that Braid knows, by the names that users type. */
public enum ExchangeType {
  RING("ring", true, "bandwidth-optimal ring allreduce (reduce-scatter and all-gather)") {
    @Override
    public Exchange create(ExchangeConfig config, Port port) {
      return new RingAllreduce(config, port);
    }
  },
  TREE("tree", true, "pipelined binary tree allreduce (reduce and broadcast)") {
    @Override
    public Exchange create(ExchangeConfig config, Port port) {
      return new TreeAllreduce(config, port);
    }
  },
  FT_TREE("ft-tree", true, "binary tree allreduce that goes around failed links") {
    @Override
    public Exchange create(ExchangeConfig config, Port port) {
      return config.options().linkTimeout().faultTolerantTree(config, port);
    }
  },
  AVERAGING("averaging", true, "batches of each worker's own, then the mean of the models") {
    @Override
    public Exchange create(ExchangeConfig config, Port port) {
      return new ParameterAveraging(config, port);
    }
  },
  ALL_TO_ALL("all-to-all", false, "the full gradient to every worker, asynchronous") {
    @Override
    public Exchange create(ExchangeConfig config, Port port) {
      return new AllToAll(config, port);
    }
  },
  AKO("ako", false, "partial gradient exchange, as much as the network bears, asynchronous") {
    @Override
    public Exchange create(ExchangeConfig config, Port port) {
      return new Ako(config, port);
    }
  },
  GOSSIP("gossip", false, "the mean with one partner after the other (GossipGraD), asynchronous") {
    @Override
    public Exchange create(ExchangeConfig config, Port port) {
      return new GossipGrad(config, port);
    }
  };

  private final String title;
  private final boolean synchronous;
  private final String summary;

  ExchangeType(String title, boolean synchronous, String summary) {
    this.title = title;
    this.synchronous = synchronous;
    this.summary = summary;
  }

  /** The name on the command line. */
  public String title() {
    return title;
  }

  /** As {@link Exchange#isSynchronous()} of all that this makes. */
  public boolean isSynchronous() {
    return synchronous;
  }

  /** What it does, in a line. */
  public String summary() {
    return summary;
  }

  /** One rank's part of this exchange. */
  public abstract Exchange create(ExchangeConfig config, Port port);

  /**
   * One rank's part of this exchange over links that lose, repeat or reorder messages or are cut
   * for a while, as links under chaos do.
   */
  public Exchange createForFaultyLinks(ExchangeConfig config, Port port) {
    return this == FT_TREE
        ? create(config, port)
        : new ReliableExchange(config, port, this::create);
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
