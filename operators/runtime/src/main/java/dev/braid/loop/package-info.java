/**
 * The loop, through which the workers of one Flink job reach each other, and the way in which a
 * checkpoint cuts it.
 *
 * <p>The page {@code docs/explanation/loop.md} explains why messages go over one ordinary edge, and
 * how a checkpoint empties the loop.
 *
 * <pre>
 *   source ─▶ LoopOperator ─── by destination ──▶ links ─▶ FeedbackOperator
 *                  ▲  LoopMember: what it does            │
 *                  └────────────── FeedbackEdge ◀─────────┘
 *                  │ ▲
 *                  ▼ │ events
 *             Coordinator, on the JobManager, inside Flink's LoopCoordinator
 * </pre>
 *
 * <p>Before a checkpoint's barriers come, {@code HoldProtocol} brings every member to the end of
 * one round, or waits until all its messages have arrived, and holds it there. {@code PathProbes}
 * checks beforehand whether barriers would arrive. If a barrier is delayed all the same, {@code
 * BarrierWatch} cancels the checkpoint.
 *
 * <p>{@link dev.braid.loop.LoopOperator} implements Flink's side, and a subclass provides a {@link
 * dev.braid.loop.member.LoopMember}; {@link dev.braid.loop.Loop} assembles the graph. {@link
 * dev.braid.loop.SourceGate} holds back the source in front of a worker, because an operator must
 * never block. {@link dev.braid.loop.LoopEnd} informs sources without an end that the loop has
 * ended. {@code LastRounds} outlives an attempt of the job, so that the next attempt can report for
 * how long training stood still.
 *
 * <p>Of the subpackages, {@code envelope} defines the data that travel around the loop, and their
 * form on the wire. {@code coordinator} makes the JobManager's decisions, and defines the events
 * between it and the members. {@code member} is a member's side, on the basis of the other two.
 * Neither uses Flink: {@code LoopCoordinator} and {@link dev.braid.loop.LoopOperator} only
 * translate between them and Flink. No other operator uses Flink's internals.
 */
package dev.braid.loop;
