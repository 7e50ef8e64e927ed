/**
 * The foundation of every command: the process, its terminal, its files and its errors.
 *
 * <p>An error of the user is a {@link dev.braid.job.console.UsageException}: a message of one line,
 * and the exit code {@link dev.braid.job.console.ExitCodes#USAGE}. {@link
 * dev.braid.job.console.Typo} suggests the intended name. A {@link dev.braid.job.console.Terminal}
 * has permanent lines and one line that is overwritten; {@link dev.braid.job.console.Places} and
 * {@link dev.braid.job.console.Durations} format what they contain. Flink logs to a file ({@link
 * dev.braid.job.console.Logs}), which keeps the display readable.
 *
 * <p>Foreign text is printed through {@link dev.braid.text.Printable}, which terminals and
 * exceptions call. This package imports nothing else of Braid except {@code BoundedInput}, and does
 * not know what a run is.
 */
package dev.braid.job.console;
