/**
 * Conditions of a simulation: the speed of links, the compute times and values of gradients, and
 * the stalls of ranks.
 *
 * <pre>
 *   LinkModel     when does a message of some bytes arrive?      {@code SoundLinks} draws each link
 *                                                                {@code MeshLinks} takes all of a route
 *   ComputeTime   how long does this rank take in this round?    constant, spread, with a tail
 *   Gradients     which values, over how many samples?           whole numbers, or reals
 *   Stalls        until when does this rank do nothing?          never, once, repeatedly
 * </pre>
 *
 * <p>Each is a function whose results are drawn from {@link dev.braid.chaos.sim.condition.Seeds}:
 * from the seed and the purpose of the number, not from a sequence. The compute time of rank 3 in
 * round 7 does not depend on earlier calls. Therefore two exchanges can be compared under the same
 * conditions, and a check can ask for a gradient that a rank has used long ago. Only a {@link
 * dev.braid.chaos.sim.condition.LinkModel} keeps state, since a link sends one message at a time.
 *
 * <p>{@link dev.braid.chaos.sim.condition.Gradients} of whole numbers have sums that are exact in
 * any order, and show whether a gradient is lost or counted twice. Sums of reals depend on the
 * order, and show whether all ranks add up in the same one.
 *
 * <p>Faults of links are not among these conditions: they are chaos events, and act on messages
 * that arrive.
 */
package dev.braid.chaos.sim.condition;
