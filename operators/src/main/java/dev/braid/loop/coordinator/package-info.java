/**
 * What the JobManager decides for all members of a loop: when it is held for a checkpoint, whether
 * training stops, and when the job ends.
 *
 * <pre>
 *             Freeze        HoldAfter(r)          barriers       Resume
 *   members ◀────────┐    ┌◀────────────┐                      ┌◀──────
 *           ──Frozen(rounds)──▶ largest ──▶ Held ──▶ all held ──▶ WentOn ──▶ LoopCoordinator
 * </pre>
 *
 * <p>{@link dev.braid.loop.coordinator.LoopCoordinator} is Flink's {@code OperatorCoordinator}, in
 * the job's main thread; {@link dev.braid.loop.coordinator.LoopEvent} is all that it and the
 * members tell each other. A {@code MemberTable} knows who can be reached, {@link
 * dev.braid.loop.coordinator.LatestAnswers} who has answered what was asked last. Checkpoints wait
 * in a {@code CheckpointQueue}, and where rounds are slow, by a {@code HoldPacing}, for a round;
 * the one that the loop is being held for is a {@code LoopHold}. {@code BufferAgreement} finds one
 * length of messages for all; {@code Declines} says once that checkpoints are declined, though they
 * may be every second.
 *
 * <p>{@code EpochVerdicts} adds up the members' scores of an epoch and asks the {@link
 * dev.braid.loop.coordinator.StoppingRule} (Prechelt, "Early stopping, but when?", 1998). A verdict
 * is part of the checkpoint, since one member may have heard it and another not.
 *
 * <p>A {@code RecoveryWatch} measures what a failure costs, a {@link
 * dev.braid.loop.coordinator.Recovery}, by what members say when they have joined again.
 */
package dev.braid.loop.coordinator;
