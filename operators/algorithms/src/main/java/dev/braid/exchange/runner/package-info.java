/**
 * The {@link dev.braid.exchange.runner.ExchangeRunner}, which hosts any exchange: it places the
 * exchange on a transport and compresses its gradients, if the exchange needs either.
 */
package dev.braid.exchange.runner;
