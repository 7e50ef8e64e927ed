/**
 * The loop, through which the workers of one Flink job reach each other, and the way in which a
 * checkpoint cuts it.
 *
 * <p>Flink's graphs have no cycles. Messages therefore go over one ordinary edge from the workers
 * to the links, and from there, inside the JVM, back into a worker's mailbox:
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
 * <p>A consistent cut (Chandy and Lamport, "Distributed snapshots", 1985) of a cycle would contain
 * all messages in flight. Here no message is in flight: before a checkpoint's barriers come, {@code
 * HoldProtocol} brings every member to the end of one round, or waits until all its messages have
 * arrived, and holds it there. {@code PathProbes} checks beforehand whether barriers would arrive.
 * If a barrier is delayed all the same, {@code BarrierWatch} cancels the checkpoint, and messages
 * pass again. A snapshot is then only weights and a position, and can be restored with any number
 * of workers.
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
