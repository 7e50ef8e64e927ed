/**
 * The simulator: the exchanges that run in Flink, in virtual time, on one thread.
 *
 * <p>Start with {@link dev.braid.chaos.sim.Simulation}. Links are behind {@link
 * dev.braid.chaos.sim.LinkModel}, which is where faults belong.
 */
package dev.braid.chaos.sim;
