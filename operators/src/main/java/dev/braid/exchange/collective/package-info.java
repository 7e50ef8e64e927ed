/** What several reductions are made of: sums in an order that no arrival changes. */
package dev.braid.exchange.collective;
