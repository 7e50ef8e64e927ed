/**
 * Simulated figures for more ranks than there are machines: commands ({@code bench/run} with their
 * names) that print a table.
 *
 * <p>{@link dev.braid.bench.scale.ExchangesAtScale} runs exchanges with up to 1024 workers, each
 * with its own line, and prints the duration of a round and a worker's traffic. A thousand models
 * would not fit into memory. A simulated element therefore stands for many parameters, with all
 * their bytes on the wire, because the time of messages depends on their size and not on their
 * contents.
 *
 * <p>{@link dev.braid.bench.scale.LinkFailuresUntilIsolation} simulates failures but no messages:
 * links of a backup tree fail in a random order until a rank has none left. The paper of the
 * fault-tolerant tree shows the mean over many orders, by height.
 *
 * <p>{@link dev.braid.bench.scale.MeshAtScale} simulates the tables of the paper of {@code mesh}:
 * the allreduce of up to 1024 ranks on a physical mesh, whole and with a failed block of ranks.
 * Messages wait for each other on the links of their routes.
 *
 * <p>{@link dev.braid.bench.scale.CodedSpeedups} compares the speed-ups in CodedReduce's paper (a
 * {@code CodedCase} each) with those of the paper's model ({@code CodedModel}) and of Braid's
 * exchanges ({@code CodedSimulation}). {@code CodedFit} finds the {@code CodedConditions} that the
 * paper does not state. The additional rounds due to dropped stragglers are found by training
 * ({@code RegressionRounds}).
 */
package dev.braid.bench.scale;
