/**
 * The worker: an operator around a trainer, which is where a learner and an exchange meet.
 *
 * <pre>
 *   batches ──▶ WorkerOperator ◀── letters, mails ── the loop
 *                    │ one thread, the task's mailbox
 *                    ▼
 *   Exchange ◀──▶ Trainer ──▶ TrainerHost (WorkerHost) ──▶ letters, reports
 *   TrainerPort      │  Model, Position, Membership            │
 *                    │                                         ▼
 *                    └── weights, gradient ◀──────────── ComputeThread: Learner
 * </pre>
 *
 * <p>A {@code Trainer} is one rank's training, a state machine that never blocks and never
 * computes: relaying, acknowledgements and time-outs go on while a gradient is being computed
 * (Watcharapichat et al., "Ako: decentralised deep learning with partial gradient exchange", 2016,
 * §4.1). It knows the world through a {@code TrainerHost} only, so that tests let it run in virtual
 * time; {@code WorkerHost} is the one of a Flink task, and {@code WorkerReports} what that tells
 * the rest of the job.
 *
 * <ul>
 *   <li>{@code Model} is the replica, {@code Position} the place in the data, {@code Membership}
 *       the place among the others;
 *   <li>{@code OwnGradient} is the round's own contribution, {@code RoundClock} its times, {@code
 *       PendingResult} what makes a result that comes too late nobody's;
 *   <li>{@code EpochEnd} is what it does at the end of an epoch, {@code RankResult} at that of the
 *       run.
 * </ul>
 *
 * <p>{@link dev.braid.worker.LocalTraining} is another host: it has the trainers of all ranks in
 * one thread, without Flink, and ends with the bits of a job.
 *
 * <p>{@link dev.braid.worker.WorkerOperator} is Flink's side: the life of the task, and its
 * snapshots. Below: {@code compute}, the thread that computes; {@code report}, what a worker tells
 * the rest of the job; and {@code state}, which stands on that, what it writes into a checkpoint.
 */
package dev.braid.worker;
