/**
 * The cost of compressing and decompressing gradients, in comparison with a pass over them: {@code
 * bench/run org.openjdk.jmh.Main CodecBenchmark}.
 */
package dev.braid.bench.codec;
