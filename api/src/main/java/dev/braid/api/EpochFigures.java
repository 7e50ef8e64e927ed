package dev.braid.api;

import dev.braid.run.result.Evaluation;
import dev.braid.run.result.Json;
import org.apache.flink.annotation.PublicEvolving;

/**
 * Figures of an epoch, or of a window of rounds of a stream.
 *
 * @param epoch number of the epoch or window, from 1
 * @param round number of rounds completed so far
 * @param samples number of samples trained on in the epoch
 * @param loss mean loss of these samples, each computed before the round that trains on it
 * @param scoredSamples number of samples on which the model was scored before it was trained on
 *     them: the test set, the held-out samples, or the samples of the window
 * @param scoredLoss mean loss of the scored samples
 * @param accuracy share of the scored samples with the correct class, from 0 to 1; NaN if the model
 *     predicts values
 * @param drift distance of the loss of a window above the mean of earlier windows, in standard
 *     deviations; NaN for the first windows and for epochs
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
