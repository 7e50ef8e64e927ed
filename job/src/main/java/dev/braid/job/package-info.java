/**
 * The program that a user starts: {@link dev.braid.job.Main} assembles the commands of {@code
 * braid}. The other packages form a list in which each imports only earlier ones:
 *
 * <ul>
 *   <li>{@code console}: the foundation of every command;
 *   <li>{@code cli}: parsing, errors and help of a command line; {@code config}: files of options
 *       and data; {@code options}: the options of a run;
 *   <li>{@code engine}: settings of Flink, and Flink in this process; {@code page}: pages for
 *       browsers;
 *   <li>{@code restore}: checkpoints that a run resumes from; {@code plan}: a validated run;
 *   <li>{@code rest}: the state of a cluster, read from Flink's REST interface;
 *   <li>{@code chaos}, {@code feed}, {@code train}, {@code replay}, {@code models}, {@code
 *       scoring}, {@code score}, {@code compare}, {@code cluster}: the commands.
 * </ul>
 *
 * <p>To follow a run through the code, start with {@code train.TrainCommand}. It takes {@code
 * options.TrainOptions} and makes a {@code plan.RunPlan} of them. From the plan, {@link
 * dev.braid.run.training.TrainingJob} and {@link dev.braid.api.TrainingRun} assemble the Flink job.
 * The command shows the job's reports as {@link dev.braid.run.result.Status}.
 */
package dev.braid.job;
