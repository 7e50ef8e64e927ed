package dev.braid.api;

import dev.braid.run.result.Evaluation;
import dev.braid.run.result.Json;
import org.apache.flink.annotation.PublicEvolving;

/**
 * EpochFigures of an epoch; of a stream, of a window of rounds.
 *
 * @param epoch number of the epoch or window, from 1
 * @param round number of complete rounds
 * @param samples number of samples trained on in the epoch
 * @param loss mean loss of these samples, each before the round that it is trained in
 * @param scoredSamples number of samples that the model was scored on and not trained on before:
 *     the test set, those held out, or those of the window
 * @param scoredLoss their mean loss
 * @param accuracy share of these samples whose class was found, from 0 to 1; NaN where the model
 *     predicts values
 * @param drift of a window of a stream: by how many standard deviations its loss lies above those
 *     of earlier windows; NaN of the first windows, and of an epoch
 */
@PublicEvolving
public record EpochFigures(
    int epoch,
    long round,
    long samples,
    double loss,
    long scoredSamples,
    double scoredLoss,
    double accuracy,
    double drift) {

  static EpochFigures of(String line) {
    Evaluation found = Json.read(line, Evaluation.class);
    return new EpochFigures(
        found.epoch(),
        found.round(),
        found.samples(),
        found.trainLoss(),
        found.testSamples(),
        found.testLoss(),
        found.testAccuracy(),
        found.drift());
  }
}
