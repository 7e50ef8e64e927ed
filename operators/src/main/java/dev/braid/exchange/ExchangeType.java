package dev.braid.exchange;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** The exchanges that Braid knows, by the names that users type. */
public enum ExchangeType {
  RING("ring", "bandwidth-optimal ring allreduce (reduce-scatter and all-gather)") {
    @Override
    public Exchange create(ExchangeConfig config, Port port) {
      return new RingAllreduce(config, port);
    }
  },
  TREE("tree", "pipelined binary tree allreduce (reduce and broadcast)") {
    @Override
    public Exchange create(ExchangeConfig config, Port port) {
      return new TreeAllreduce(config, port);
    }
  },
  FT_TREE("ft-tree", "binary tree allreduce that goes around failed links") {
    @Override
    public Exchange create(ExchangeConfig config, Port port) {
      return config.linkTimeout().faultTolerantTree(config, port);
    }
  };

  private final String title;
  private final String summary;

  ExchangeType(String title, String summary) {
    this.title = title;
    this.summary = summary;
  }

  /** The name on the command line. */
  public String title() {
    return title;
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
