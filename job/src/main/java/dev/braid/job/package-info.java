/**
 * The program that a user starts: {@link dev.braid.job.Main} puts the commands of {@code braid}
 * together. All else is in rooms, each on some of those before it and on none after it:
 *
 * <ul>
 *   <li>{@code console}: what every command stands on; {@code result}: what is said of a run, while
 *       it goes on and for good;
 *   <li>{@code cli}: how a command line is read, refused and explained; {@code config}: files of
 *       options and data; {@code options}: what a user may say of a run;
 *   <li>{@code engine}: Flink, and the job that runs in it; {@code report}: the operator that keeps
 *       a run's results, by what is {@code reported}, {@code shown} and found in the end ({@code
 *       verdict}); {@code page}: pages for browsers;
 *   <li>{@code restore}: what a run goes on from; {@code plan}: a run that has been checked;
 *   <li>{@code rest}: a cluster, as it tells of itself;
 *   <li>{@code chaos}, {@code train}, {@code scoring}, {@code compare}, {@code cluster}: the
 *       commands.
 * </ul>
 *
 * <p>To read a run from its beginning: {@code train.TrainCommand} takes {@code
 * options.TrainOptions}, makes a {@code plan.RunPlan} of them, which has {@code engine.TrainingJob}
 * and {@code report.Report} put together what Flink is to run, and shows what comes back as {@code
 * result.Status}.
 */
package dev.braid.job;
