/**
 * The decisions for all members of a loop: when the loop is held for a checkpoint, which members
 * take part, whether training stops, and when the job ends.
 *
 * <pre>
 *             Freeze        HoldAfter(r)          barriers       Resume
 *   members ◀────────┐    ┌◀────────────┐                      ┌◀──────
 *           ──Frozen(rounds)──▶ largest ──▶ Held ──▶ all held ──▶ Resumed ──▶ Coordinator
 * </pre>
 *
 * <p>The {@link dev.braid.loop.coordinator.Coordinator} is pure, like the algorithms: it uses no
 * Flink, no thread and no clock. In a job {@code LoopCoordinator} calls it on the JobManager; the
 * simulator and unit tests call the same class. It and the members communicate only by {@link
 * dev.braid.loop.coordinator.LoopEvent}, which a {@link
 * dev.braid.loop.coordinator.CoordinatorGateway} sends. A {@code MemberTable} contains the reports
 * of each member, and {@link dev.braid.loop.coordinator.LatestAnswers} the members that have
 * answered the latest question. {@code BufferAgreement} finds one length of messages for all
 * members.
 *
 * <p>{@code CheckpointHolds} holds the loop. Checkpoints wait in a {@code CheckpointQueue}. If
 * rounds are slow, {@code HoldPacing} makes them wait for a round. A {@code LoopHold} is the
 * checkpoint that the loop is being held for, and a {@link dev.braid.loop.coordinator.HoldOutcome}
 * receives the answer. {@code Declines} logs declined checkpoints once, even if they come every
 * second.
 *
 * <p>{@code EpochVerdicts} adds up the members' scores of an epoch and applies the {@link
 * dev.braid.loop.coordinator.StoppingRule} (Prechelt, "Early stopping, but when?", 1998). A verdict
 * is part of the checkpoint, because one member may have received it and another not.
 *
 * <p>A {@code RecoveryWatch} measures the cost of a failure, a {@link
 * dev.braid.loop.coordinator.Recovery}, from the reports of members when they have joined again.
 */
package dev.braid.loop.coordinator;
