/**
 * What a user may say of a run.
 *
 * <p>There are two forms of it. As it is typed: {@link dev.braid.job.options.TrainFlags}, with a
 * class for each group of options that help shows, such as {@code DataFlags}; their fields are
 * picocli's. As it is meant: {@link dev.braid.job.options.TrainOptions}, values without picocli,
 * which everything else reads. The flags make the options; what is wrong with one word by itself is
 * found there. What is wrong with numbers and places together is found by {@link
 * dev.braid.job.options.Validation}, before any data is read. {@link
 * dev.braid.job.options.Checkpoints} knows what is where options say that checkpoints are. {@link
 * dev.braid.job.options.BrokerWait} asks the broker of a topic that they name. {@code PlannedTree}
 * chooses options of {@code coded} by an earlier run.
 *
 * <p>A new option of {@code braid train} begins here: a field in the flags, a value in the options,
 * and a check.
 *
 * <p>Imports {@code config}, which reads files of options, {@code console} and, to write options as
 * JSON, {@code result}.
 */
package dev.braid.job.options;
