/** Gradient sharing. */
package dev.braid.exchange.sharing;
