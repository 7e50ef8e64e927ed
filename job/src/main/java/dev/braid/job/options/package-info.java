/**
 * The options of a run.
 *
 * <p>They have two forms. {@link dev.braid.job.options.TrainFlags} are the options as typed, with a
 * class for each group in help, such as {@code DataFlags}; picocli sets their fields. {@link
 * dev.braid.job.options.TrainOptions} are the parsed values, independent of picocli, which all
 * other code uses. The flags create the options and check each word. {@link
 * dev.braid.job.options.Validation} checks combinations of numbers and places before any data is
 * read.
 *
 * <p>{@link dev.braid.job.options.Checkpoints} finds the checkpoints at the places that options
 * name. {@link dev.braid.job.options.BrokerWait} sends requests to the broker of a topic.
 *
 * <p>A new option of {@code braid train} starts here: a field in the flags, a value in the options,
 * and a check.
 *
 * <p>Imports {@code config}, which reads files of options, {@code console} and, to write options as
 * JSON, {@code result}.
 */
package dev.braid.job.options;
