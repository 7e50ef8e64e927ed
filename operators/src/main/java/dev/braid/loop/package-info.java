/**
 * The loop: how workers of one Flink job reach each other, and how a checkpoint cuts what has no
 * beginning and no end.
 *
 * <p>Flink's graphs have no cycles. So messages go over one ordinary edge from the workers to the
 * links, and from there, inside the JVM, back into a worker's mailbox:
 *
 * <pre>
 *   source ─▶ LoopOperator ─── by destination ──▶ links ─▶ FeedbackOperator
 *                  ▲  LoopMember: what it does            │
 *                  └────────────── FeedbackEdge ◀─────────┘
 *                  │ ▲
 *                  ▼ │ events
 *             LoopCoordinator, on the JobManager
 * </pre>
 *
 * <p>A consistent cut (Chandy and Lamport, "Distributed snapshots", 1985) of a cycle would have all
 * messages in flight in it. Here none are: before a checkpoint's barriers come, {@code
 * HoldProtocol} brings every member to the end of one round, or of all that it has sent, and holds
 * it there. {@code PathProbes} finds out before whether a barrier would get through at all; where
 * one is held back all the same, {@code BarrierWatch} gives the checkpoint up, and messages pass
 * again. A snapshot is then weights and a position, at whatever number of workers it is restored.
 *
 * <p>{@link dev.braid.loop.LoopOperator} keeps Flink's side, {@link dev.braid.loop.LoopMember} is
 * what a subclass brings; {@link dev.braid.loop.Loop} puts the graph together. {@link
 * dev.braid.loop.SourceGate} holds back the source in front of a worker, as an operator may never
 * block, and {@link dev.braid.loop.LoopEnd} tells sources without an end that the loop has one.
 * {@code LastRounds} outlives an attempt to run the job, so that the next can tell for how long
 * training stood still.
 *
 * <p>Below, and not on each other: {@code envelope}, what travels around the loop, and its form on
 * the wire; {@code coordinator}, what the JobManager decides, and the events that it and the
 * members tell each other. No other operator touches Flink's internals.
 */
package dev.braid.loop;
