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
import java.util.Optional;

/** Descriptor of {@code gossip}. */
public final class GossipDescriptor implements ExchangeDescriptor {

  @Override
  public String name() {
    return "gossip";
  }

  @Override
  public String summary() {
    return "GossipGraD (asynchronous): averages models with one partner after another";
  }

  @Override
  public String advice() {
    return "Choose it for many workers on a slow network: each sends one vector per "
        + "round, regardless of their number. Replicas differ more than with other "
        + "exchanges.";
  }

  @Override
  public String source() {
    return "Daily et al., \"GossipGraD\", 2018";
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
  public Sends sends() {
    return Sends.MODELS;
  }

  @Override
  public Optional<String> mistake(ExchangeOptions chosen) {
    return Compression.mistakeUnlessAllIsSent(
        chosen.get(Compression.OPTION), name() + " sends models, and a model must be sent whole");
  }

  @Override
  public Exchange create(ExchangeConfig config, Port port) {
    return new GossipGrad(config, port);
  }
}
