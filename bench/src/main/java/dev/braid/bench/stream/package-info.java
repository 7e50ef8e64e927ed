/** Programs for the benchmark of training from topics. */
package dev.braid.bench.stream;
