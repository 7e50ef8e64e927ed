/**
 * The command {@code braid train}, and what its user sees and is told.
 *
 * <p>{@link dev.braid.job.train.TrainCommand} leads from options to an exit code, in a Flink of its
 * own or on a cluster. While the job runs, {@code JobWatch} asks it for its status, which goes to
 * {@code ProgressView} for the terminal and to {@code LivePage} for a browser; {@code StallWatch},
 * {@code EndWatch} and {@code FaultLines} decide what of it is worth a line. When it is over,
 * {@code RunVerdict} says what it amounts to: with {@code TargetVerdict}, {@code EarlyStop} and
 * {@code ChaosSummary}. {@code dev.braid.job.console.OutLock} keeps two runs out of one folder, and
 * {@code Interruption} is what Ctrl-C does. {@code RunFileReader} adds the options of a run file to
 * those that are typed; {@link dev.braid.job.train.TrainArguments} are the command's words, for who
 * starts it several times.
 *
 * <p>Imports {@code plan}, {@code engine}, {@code report}, {@code page} and what these stand on; no
 * other command.
 */
package dev.braid.job.train;
