package dev.braid.exchange.fttree;

import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeDescriptor;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Port;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.option.ExchangeOption;
import dev.braid.exchange.option.LinkTimeout;
import dev.braid.exchange.option.ValueForm;
import java.util.List;

/** Descriptor of {@code ft-tree}. */
public final class FaultTolerantTreeDescriptor implements ExchangeDescriptor {

  /** Time-out after which a silent link counts as failed. */
  public static final ExchangeOption<LinkTimeout> LINK_TIMEOUT =
      ExchangeOption.named(
              "timeout",
              "TIME",
              new ValueForm<>(
                  LinkTimeout.class,
                  "1ms or more, or adaptive",
                  LinkTimeout::of,
                  LinkTimeout::toString))
          .help(
              "Time without a message after which a link is treated as failed, such as "
                  + "500ms; adaptive: a few round trips.")
          .byDefault(LinkTimeout.ADAPTIVE);

  @Override
  public String name() {
    return "ft-tree";
  }

  @Override
  public String summary() {
    return "binary tree allreduce that routes around failed links";
  }

  @Override
  public String advice() {
    return "Choose it when links between workers fail, lose messages or fail in one "
        + "direction: it ends with the same bits as tree.";
  }

  @Override
  public String source() {
    return "a dissertation on decentralised fault-tolerant training, of the 2020s (ch. 6,"
        + " Algorithms 1 and 2)";
  }

  @Override
  public List<ExchangeOption<?>> options() {
    return List.of(LINK_TIMEOUT, Compression.OPTION);
  }

  @Override
  public boolean isSynchronous(ExchangeOptions chosen) {
    return true;
  }

  @Override
  public boolean bearsFaultyLinks(ExchangeOptions chosen) {
    return true;
  }

  @Override
  public Exchange create(ExchangeConfig config, Port port) {
    return config.options().get(LINK_TIMEOUT) instanceof LinkTimeout.Fixed fixed
        ? new FaultTolerantTree(config, port, fixed.time().toNanos())
        : new BraidedTree(config, port);
  }
}
