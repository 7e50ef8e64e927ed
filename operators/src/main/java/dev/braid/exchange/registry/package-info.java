/**
 * All exchanges by the names that users type ({@link dev.braid.exchange.registry.ExchangeType}),
 * with what is chosen of one ({@link dev.braid.exchange.registry.ChosenExchange}), and where each
 * is put together: bare on links that lose nothing, and else on a transport ({@code
 * ReliableSynchronous}, {@code ReliableAsynchronous}), but for those that have their own.
 */
package dev.braid.exchange.registry;
