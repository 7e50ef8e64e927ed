package dev.braid.chaos.sim;

import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;

/** Makes one rank's part of an exchange; {@code ExchangeType.RING::create} is one. */
@FunctionalInterface
public interface ExchangeFactory {

  Exchange create(ExchangeConfig config, Port port);
}
