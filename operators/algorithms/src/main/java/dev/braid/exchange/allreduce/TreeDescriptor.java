package dev.braid.exchange.allreduce;

import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeDescriptor;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Port;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.option.ExchangeOption;
import java.util.List;

/** Descriptor of {@code tree}. */
public final class TreeDescriptor implements ExchangeDescriptor {

  @Override
  public String name() {
    return "tree";
  }

  @Override
  public String summary() {
    return "pipelined binary tree allreduce (reduce and broadcast)";
  }

  @Override
  public String advice() {
    return "Choose it when the model is small or there are many workers: its latency "
        + "grows with log n.";
  }

  @Override
  public List<ExchangeOption<?>> options() {
    return List.of(Compression.OPTION);
  }

  @Override
  public boolean isSynchronous(ExchangeOptions chosen) {
    return true;
  }

  @Override
  public Exchange create(ExchangeConfig config, Port port) {
    return new TreeAllreduce(config, port);
  }
}
