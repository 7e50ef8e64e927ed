/**
 * Saved models used: {@code braid evaluate} and {@code braid predict}.
 *
 * <p>Both begin with a {@code ScoredModel}: the network, and the card that says what its columns or
 * pixels and its outputs are. {@link dev.braid.job.scoring.EvaluateCommand} scores samples whose
 * labels are known, and shows an {@code EvaluationText} of classes or of values. {@link
 * dev.braid.job.scoring.PredictCommand} has {@code Predictions} write a line for each sample as it
 * comes, in the form of the {@code Answers} that the model gives. There is no Flink job in either.
 *
 * <p>Imports {@code plan}, for the card, {@code result}, for JSON, and {@code console}; no other
 * command.
 */
package dev.braid.job.scoring;
