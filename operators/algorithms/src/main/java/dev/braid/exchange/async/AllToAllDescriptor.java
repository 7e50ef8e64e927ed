package dev.braid.exchange.async;

import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeDescriptor;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Port;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.option.ExchangeOption;
import dev.braid.exchange.state.StateKind;
import java.util.List;

/** Descriptor of {@code all-to-all}. */
public final class AllToAllDescriptor implements ExchangeDescriptor {

  @Override
  public String name() {
    return "all-to-all";
  }

  @Override
  public String summary() {
    return "full gradient exchange (asynchronous): sends each gradient to every worker";
  }

  @Override
  public String advice() {
    return "Choose it for comparisons, or for few workers on a fast network.";
  }

  @Override
  public List<ExchangeOption<?>> options() {
    return List.of(ExchangeOptions.STALENESS, Compression.OPTION);
  }

  @Override
  public List<StateKind> states(ExchangeOptions chosen) {
    return List.of(AsynchronousExchange.CLOCKS);
  }

  @Override
  public boolean isSynchronous(ExchangeOptions chosen) {
    return false;
  }

  @Override
  public Steps steps(ExchangeOptions chosen) {
    return Steps.OF_EACH_GRADIENT;
  }

  @Override
  public Exchange create(ExchangeConfig config, Port port) {
    return new AllToAll(config, port);
  }
}
