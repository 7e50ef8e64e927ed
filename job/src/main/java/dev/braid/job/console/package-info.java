/**
 * What every command stands on: the process, its terminal, its files, and how it says that
 * something is wrong.
 *
 * <p>A mistake of the user's is a {@link dev.braid.job.console.UsageException}: one line, and the
 * exit code {@link dev.braid.job.console.ExitCodes#USAGE}. {@link dev.braid.job.console.Typo} finds
 * the name that was meant. A {@link dev.braid.job.console.Terminal} has lines that stay and one
 * that is written again and again; {@link dev.braid.job.console.Places} and {@link
 * dev.braid.job.console.Durations} are for the words in them. What Flink logs goes to a file
 * ({@link dev.braid.job.console.Logs}), so that lines stay readable.
 *
 * <p>Text of others is printed through {@link dev.braid.files.Printable}: terminals and exceptions
 * call it. Imports nothing else of Braid: nothing here knows what a run is.
 */
package dev.braid.job.console;
