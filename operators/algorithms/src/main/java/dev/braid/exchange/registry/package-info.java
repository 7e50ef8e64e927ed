/**
 * All exchanges by the names that users type ({@link dev.braid.exchange.registry.ExchangeType}),
 * and an exchange with its chosen options ({@link dev.braid.exchange.registry.ChosenExchange}).
 */
package dev.braid.exchange.registry;
