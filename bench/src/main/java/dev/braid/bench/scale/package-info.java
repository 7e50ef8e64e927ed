/**
 * Figures about more ranks than there are machines for: commands ({@code bench/run} with their
 * names) that print a table.
 *
 * <p>{@link dev.braid.bench.scale.ExchangesAtScale} runs exchanges with up to 1024 workers, each
 * with a line of its own, and tells what a round takes and what a worker sends. A thousand models
 * would not fit into memory, and do not have to: a simulated element stands for many parameters,
 * with all their bytes on the wire, as the time that messages take depends on their size and not on
 * what they say.
 *
 * <p>{@link dev.braid.bench.scale.LinkFailuresUntilIsolation} needs no simulation of messages, but
 * of failures: links of a backup tree fail in a random order until a rank has none left. The mean
 * over many orders is what the paper of the fault-tolerant tree shows by height.
 *
 * <p>{@link dev.braid.bench.scale.MeshAtScale} has the allreduce of up to 1024 ranks on a physical
 * mesh, where messages wait for each other on the links of their routes, whole and with a block of
 * ranks failed: the tables of the paper of {@code mesh}.
 *
 * <p>{@link dev.braid.bench.scale.CodedSpeedups} puts the speed-ups that CodedReduce's paper tells
 * (a {@code CodedCase} each) beside those of the paper's model ({@code CodedModel}) and of Braid's
 * exchanges ({@code CodedSimulation}), under {@code CodedConditions} that {@code CodedFit} finds
 * where the paper does not give them. What dropping stragglers costs in rounds is found by training
 * ({@code RegressionRounds}).
 */
package dev.braid.bench.scale;
