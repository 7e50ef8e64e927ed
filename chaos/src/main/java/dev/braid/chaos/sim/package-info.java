/**
 * The simulator: what runs in Flink, in virtual time, on one thread. Each rank has a real trainer
 * with its exchange and a real hold protocol, and the coordinator is the loop's; links, the source
 * of batches, the compute thread and the clock are simulated.
 *
 * <p>Start with {@link dev.braid.chaos.sim.Simulation}. Links are behind {@link
 * dev.braid.chaos.sim.LinkModel}; what goes wrong with them is told by the chaos events of a Flink
 * job. What ranks do to their models is watched by an {@link dev.braid.chaos.sim.UpdateCheck}.
 */
package dev.braid.chaos.sim;
