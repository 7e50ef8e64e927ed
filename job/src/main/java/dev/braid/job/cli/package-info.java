/**
 * Parsing, errors and help of a command line, independent of the command.
 *
 * <p>This package adapts Picocli. {@link dev.braid.job.cli.Converters} require units in times,
 * {@link dev.braid.job.cli.Repeats} refuses an option that is given twice, and {@link
 * dev.braid.job.cli.Mistakes} describes an error in one line. {@link dev.braid.job.cli.HelpText}
 * limits {@code --help} to common options, and {@link dev.braid.job.cli.Examples} adds commands to
 * copy. {@link dev.braid.job.cli.ExchangesCommand} describes exchanges by their descriptors. {@link
 * dev.braid.job.cli.KafkaCommand} exists only to be listed, because the launcher starts the broker.
 * {@link dev.braid.job.cli.JobManagerProgram} runs the command line within a JobManager, where a
 * command must not end the process.
 *
 * <p>Of the other packages, imports only {@code console}. It receives its commands and names none.
 */
package dev.braid.job.cli;
