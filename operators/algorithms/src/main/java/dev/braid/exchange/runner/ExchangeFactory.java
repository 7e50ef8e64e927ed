package dev.braid.exchange.runner;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;

/** Factory for one rank's part of an exchange, with the runner that hosts it. */
@FunctionalInterface
public interface ExchangeFactory {

  ExchangeRunner create(ExchangeConfig config, Port port);
}
