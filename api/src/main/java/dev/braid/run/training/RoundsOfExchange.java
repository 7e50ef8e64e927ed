package dev.braid.run.training;

import dev.braid.coding.CodeTree;
import dev.braid.connectors.source.RoundSharing;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.registry.ExchangeType;
import java.util.Optional;

/** Assignment of samples to workers, as an exchange requires it. */
record RoundsOfExchange(ExchangeType exchange, ExchangeOptions options) implements RoundSharing {

  private static final long serialVersionUID = 1L;

  @Override
  public Optional<CodeTree> codes(int workers) {
    return exchange.descriptor().codes(options, workers);
  }
}
