/**
 * The command {@code braid train} and its output.
 *
 * <p>{@link dev.braid.job.train.TrainCommand} turns options into a run, in its own Flink or on a
 * cluster, and returns the exit code. While the job runs, {@code JobWatch} queries its status,
 * which goes to {@code ProgressView} for the terminal and to {@code LivePage} for a browser. {@code
 * StallWatch}, {@code EndWatch} and {@code FaultLines} decide which parts of it need a line. At the
 * end, {@code RunVerdict} judges the run, with {@code TargetVerdict}, {@code EarlyStop} and {@code
 * ChaosSummary}.
 *
 * <p>{@code dev.braid.job.console.OutLock} keeps two runs out of the same folder, and {@code
 * Interruption} handles Ctrl-C. {@code RunFileReader} adds the options of a run file to those on
 * the command line. {@link dev.braid.job.train.TrainArguments} are the command's arguments, for
 * commands that start it several times.
 *
 * <p>Imports {@code cli}, {@code plan}, {@code engine}, {@code rest}, {@code page} and their
 * imports; no other command.
 */
package dev.braid.job.train;
