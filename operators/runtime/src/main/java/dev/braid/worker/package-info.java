/**
 * The worker: a Flink operator around a trainer, which connects a learner and an exchange.
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
 * <p>A {@code Trainer} is one rank's training: a state machine that never blocks and never
 * computes. Relaying, acknowledgements and time-outs therefore continue while a gradient is being
 * computed (Watcharapichat et al., "Ako: decentralised deep learning with partial gradient
 * exchange", 2016, §4.1). A trainer reaches its surroundings only through a {@code TrainerHost}, so
 * tests can run it in virtual time. {@code WorkerHost} is the host in a Flink task, and {@code
 * WorkerReports} sends its reports to the rest of the job.
 *
 * <ul>
 *   <li>{@code Model} is the replica, {@code Position} the rank's position in its data, and {@code
 *       Membership} its standing in the view;
 *   <li>{@code OwnGradient} is the rank's contribution to a round, {@code RoundClock} measures the
 *       times of rounds, and {@code PendingResult} discards results that arrive too late;
 *   <li>{@code EpochEnd} evaluates the model at the end of an epoch, and {@code RankResult} at the
 *       end of the run.
 * </ul>
 *
 * <p>{@link dev.braid.worker.LocalTraining} is another host: it runs the trainers of all ranks in
 * one thread, without Flink, and computes the same bits as a job.
 *
 * <p>{@link dev.braid.worker.WorkerOperator} is Flink's side: the life cycle of the task, and its
 * snapshots. The subpackages are {@code compute}, the thread that computes; {@code report}, the
 * reports that a worker sends to the rest of the job; and {@code state}, which uses {@code report}
 * and defines what a worker writes into a checkpoint.
 */
package dev.braid.worker;
