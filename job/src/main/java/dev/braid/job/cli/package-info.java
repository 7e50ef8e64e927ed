/**
 * How a command line is read, refused and explained, whatever the command.
 *
 * <p>Picocli does most of it; here is what Braid wants otherwise. {@link
 * dev.braid.job.cli.Converters} have times carry units, {@link dev.braid.job.cli.Repeats} refuses
 * an option that is given twice, {@link dev.braid.job.cli.Mistakes} says what is wrong in one line.
 * {@link dev.braid.job.cli.HelpText} has {@code --help} show what most need, and {@link
 * dev.braid.job.cli.Examples} are at its end. {@link dev.braid.job.cli.ExchangesCommand} is the
 * same for exchanges, by their descriptors. {@link dev.braid.job.cli.KafkaCommand} is there to be
 * listed: the launcher starts the broker. {@link dev.braid.job.cli.JobManagerProgram} runs it all
 * within a JobManager, which no exit code may end.
 *
 * <p>Imports {@code console} alone of the rooms. It is told of commands, and names none.
 */
package dev.braid.job.cli;
