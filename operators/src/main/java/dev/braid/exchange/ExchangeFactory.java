package dev.braid.exchange;

/** Makes one rank's part of an exchange. */
@FunctionalInterface
public interface ExchangeFactory {

  Exchange create(ExchangeConfig config, Port port);
}
