/**
 * All exchanges by the names that users type ({@link dev.braid.exchange.registry.ExchangeType}),
 * and an exchange with its chosen options ({@link dev.braid.exchange.registry.ChosenExchange}). The
 * registry also assembles each exchange: bare if it handles faulty links itself or has one rank,
 * otherwise on a transport ({@code ReliableSynchronous}, {@code ReliableAsynchronous}).
 */
package dev.braid.exchange.registry;
