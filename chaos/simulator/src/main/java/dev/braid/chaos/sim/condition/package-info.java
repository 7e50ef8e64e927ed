/**
 * What a simulation is given from outside: how fast links are, how long gradients take and what
 * they are, and when ranks stand still.
 *
 * <pre>
 *   LinkModel     when does a message of so many bytes arrive?   {@code SoundLinks} draws each link
 *                                                                {@code MeshLinks} takes all of a route
 *   ComputeTime   how long does this rank take in this round?    constant, spread, with a tail
 *   Gradients     which values, over how many samples?           whole numbers, or reals
 *   Stalls        until when does this rank do nothing?          none, once, now and then
 * </pre>
 *
 * <p>Each is a function, and its answers are drawn from {@link
 * dev.braid.chaos.sim.condition.Seeds}: from the seed and from what the number is for, not from a
 * sequence. The compute time of rank 3 in round 7 is the same whoever asked before, so that two
 * exchanges can be compared under the same conditions, and a check can ask for a gradient that a
 * rank has long used. Only a {@link dev.braid.chaos.sim.condition.LinkModel} keeps state: a link
 * sends one message at a time.
 *
 * <p>{@link dev.braid.chaos.sim.condition.Gradients} of whole numbers have sums that are exact in
 * any order, and show whether a gradient is lost or counted twice; sums of reals depend on the
 * order, and show whether all ranks add up in the same one.
 *
 * <p>What breaks links is none of these: faults are chaos events, and act on what arrives.
 */
package dev.braid.chaos.sim.condition;
