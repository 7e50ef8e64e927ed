/** Benchmarks of a layer's products. */
package dev.braid.bench.products;
