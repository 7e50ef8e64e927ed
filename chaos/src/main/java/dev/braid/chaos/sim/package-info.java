/**
 * The simulator: the exchanges that run in Flink, in virtual time, on one thread.
 *
 * <p>Start with {@link dev.braid.chaos.sim.Simulation}. Links are behind {@link
 * dev.braid.chaos.sim.LinkModel}; what goes wrong with them is told by the chaos events of a Flink
 * job.
 */
package dev.braid.chaos.sim;
