/**
 * Use of saved models: {@code braid evaluate}, {@code braid predict} and {@code braid export}.
 *
 * <p>All start with a {@code ScoredModel}: the network, and the card that describes its inputs and
 * outputs. {@link dev.braid.job.scoring.EvaluateCommand} scores samples with known labels, and
 * shows an {@code EvaluationText} of classes or of values. {@link
 * dev.braid.job.scoring.PredictCommand} lets {@code Predictions} write a line for each sample, in
 * the form of the model's {@code Answers}. None of them runs a Flink job.
 *
 * <p>Imports {@code plan}, for the card, {@code config}, for data, {@code result}, for JSON, and
 * {@code console}; no other command.
 */
package dev.braid.job.scoring;
