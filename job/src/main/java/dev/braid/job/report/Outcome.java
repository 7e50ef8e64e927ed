package dev.braid.job.report;

import java.util.List;
import java.util.Optional;

/**
 * How a run ended: the last line of the history.
 *
 * @param digest SHA-256 of the final weights as little-endian float32, in hexadecimal
 * @param ranks replicas
 * @param leftOut ranks that were cut off in the end, and whose replicas do not count
 * @param identical how many replicas have this digest
 * @param distance how far replicas are apart: the root mean square of a weight's distance from the
 *     replicas' mean, as a share of that of the weights; 0 where all are identical
 * @param replicaAccuracies of each replica on the whole test set when its worker had computed its
 *     last gradient, from 0 to 1, by rank; none where replicas are the same whenever a round is
 *     complete
 * @param accuracyVariancePp2 their variance, in percentage points squared; 0 where there are none
 * @param rounds rounds complete
 * @param epochs epochs complete
 * @param testAccuracy of the final model, from 0 to 1
 * @param best the model of the epoch with the best accuracy; none where no epoch's was handed over
 * @param ledger what the ledger found, in a sentence
 * @param ledgerExact whether every sample was used exactly once in each epoch
 * @param unusedSamples how many uses of samples are missing, as a worker was cut off for a while
 *     and others went on without it
 * @param ledgerAccounted whether that is all that keeps the ledger from being exact
 * @param model the model's path
 * @param history the history's path
 */
public record Outcome(
    String digest,
    int ranks,
    List<Integer> leftOut,
    int identical,
    double distance,
    List<Double> replicaAccuracies,
    double accuracyVariancePp2,
    long rounds,
    int epochs,
    double testAccuracy,
    Optional<BestModel> best,
    String ledger,
    boolean ledgerExact,
    long unusedSamples,
    boolean ledgerAccounted,
    String model,
    String history) {

  /** The same with its files at other places. */
  Outcome at(String modelPath, String historyPath, String bestPath) {
    return new Outcome(
        digest,
        ranks,
        leftOut,
        identical,
        distance,
        replicaAccuracies,
        accuracyVariancePp2,
        rounds,
        epochs,
        testAccuracy,
        best.map(it -> new BestModel(it.epoch(), it.testAccuracy(), bestPath)),
        ledger,
        ledgerExact,
        unusedSamples,
        ledgerAccounted,
        modelPath,
        historyPath);
  }
}
