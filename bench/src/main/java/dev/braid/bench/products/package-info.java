/** The products of a layer, by themselves. */
package dev.braid.bench.products;
