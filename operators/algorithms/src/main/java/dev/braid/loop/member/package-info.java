/**
 * A member's side of a checkpoint through an idle loop, without Flink: the simulator's ranks use
 * the same classes.
 *
 * <p>A {@link dev.braid.loop.member.LoopMember} is a worker, as the loop uses it, and {@link
 * dev.braid.loop.member.Holdable} its state with regard to checkpoints. {@link
 * dev.braid.loop.member.HoldProtocol} brings it to a state from which all members can be restored.
 * {@link dev.braid.loop.member.PathProbes} checks beforehand whether barriers would arrive. {@link
 * dev.braid.loop.member.LoopPort} contains the operations that a member may call.
 */
package dev.braid.loop.member;
