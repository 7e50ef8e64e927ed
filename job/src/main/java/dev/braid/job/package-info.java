/**
 * The program that a user starts: {@link dev.braid.job.Main} puts the commands of {@code braid}
 * together. All else is in rooms, each on some of those before it and on none after it:
 *
 * <ul>
 *   <li>{@code console}: what every command stands on;
 *   <li>{@code cli}: how a command line is read, refused and explained; {@code config}: files of
 *       options and data; {@code options}: what a user may say of a run;
 *   <li>{@code engine}: settings of Flink, and Flink in this process; {@code page}: pages for
 *       browsers;
 *   <li>{@code restore}: what a run goes on from; {@code plan}: a run that has been checked;
 *   <li>{@code rest}: a cluster, as it tells of itself;
 *   <li>{@code chaos}, {@code train}, {@code scoring}, {@code compare}, {@code cluster}: the
 *       commands.
 * </ul>
 *
 * <p>To read a run from its beginning: {@code train.TrainCommand} takes {@code
 * options.TrainOptions}, makes a {@code plan.RunPlan} of them, which has {@link
 * dev.braid.run.training.TrainingJob} and {@link dev.braid.api.TrainingRun} put together what Flink
 * is to run, and shows what comes back as {@link dev.braid.run.result.Status}.
 */
package dev.braid.job;
