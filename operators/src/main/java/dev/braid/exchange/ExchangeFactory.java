package dev.braid.exchange;

/** Factory for one rank's part of an exchange. */
@FunctionalInterface
public interface ExchangeFactory {

  Exchange create(ExchangeConfig config, Port port);
}
