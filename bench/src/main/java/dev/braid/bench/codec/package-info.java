/**
 * What it costs to make gradients smaller and whole again, next to a pass over them: {@code
 * bench/run org.openjdk.jmh.Main CodecBenchmark}.
 */
package dev.braid.bench.codec;
