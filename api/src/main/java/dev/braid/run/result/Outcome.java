package dev.braid.run.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.braid.loop.coordinator.Recovery;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleFunction;

/**
 * How a run ended: the last line of the history.
 *
 * @param digest SHA-256 of the final weights as little-endian float32, in hexadecimal
 * @param ranks number of replicas
 * @param leftOut ranks that were excluded at the end, whose replicas do not count
 * @param identical number of replicas that have this digest
 * @param distance distance between replicas: root mean square of a weight's distance from the
 *     replicas' mean, as a share of that of the weights; 0 if all are identical
 * @param replicaAccuracies accuracy of each replica on the whole test set when its worker had
 *     computed its last gradient, from 0 to 1, by rank; empty if replicas are the same whenever a
 *     round is complete; absent where samples have values
 * @param accuracyVariancePp2 variance of {@code replicaAccuracies}, in percentage points squared; 0
 *     if there are none, NaN where samples have values
 * @param rounds rounds complete
 * @param epochs epochs complete
 * @param testAccuracy accuracy of the final model, from 0 to 1; NaN where samples have values
 * @param best model of the epoch with the best score; empty if no epoch's model was handed over
 * @param ledger finding of the ledger, in a sentence
 * @param ledgerExact whether every sample was used exactly once in each epoch
 * @param unusedSamples number of uses of samples that are missing because a worker was excluded for
 *     a while and the others continued without it
 * @param ledgerAccounted whether these missing uses are all that keeps the ledger from being exact
 * @param model path of the model
 * @param history path of the history
 * @param replicaR2s R² of each replica, as {@code replicaAccuracies}, where samples have values;
 *     else absent
 * @param testR2 R² of the final model where samples have values; else NaN
 * @param testLoss loss of the final model where samples have values; else NaN
 * @param recoveries recoveries from failures; absent if none is known
 */
public record Outcome(
    String digest,
    int ranks,
    List<Integer> leftOut,
    int identical,
    double distance,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<List<Double>> replicaAccuracies,
    @IfKnown double accuracyVariancePp2,
    long rounds,
    int epochs,
    @IfKnown double testAccuracy,
    Optional<BestModel> best,
    String ledger,
    boolean ledgerExact,
    long unusedSamples,
    boolean ledgerAccounted,
    String model,
    String history,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<List<Double>> replicaR2s,
    @IfKnown double testR2,
    @IfKnown double testLoss,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<List<Recovery>> recoveries) {

  /** Returns the score of the final model. */
  public TestScore score() {
    return TestScore.of(testAccuracy, testR2, testLoss);
  }

  /** Returns the scores of the replicas, ascending. */
  public List<TestScore> replicaScores() {
    return replicaAccuracies.isPresent()
        ? scores(replicaAccuracies, TestScore.Accuracy::new)
        : scores(replicaR2s, r2 -> new TestScore.Fit(r2, Double.NaN));
  }

  private static List<TestScore> scores(
      Optional<List<Double>> figures, DoubleFunction<TestScore> score) {
    return figures.orElse(List.of()).stream().sorted().map(score::apply).toList();
  }

  /**
   * Returns this run, whose epochs were evaluated on samples held out of training, with the scores
   * of its models on the test set.
   *
   * @param score score of the final model
   * @param bestScore score of the best model, if there is one
   */
  public Outcome tested(TestScore score, TestScore bestScore) {
    return with(score, best.map(it -> it.tested(bestScore)), model, history);
  }

  /** Returns a copy with other paths of its files. */
  public Outcome at(String modelPath, String historyPath, String bestPath) {
    return with(score(), best.map(it -> it.at(bestPath)), modelPath, historyPath);
  }

  private Outcome with(
      TestScore score, Optional<BestModel> itsBest, String modelPath, String historyPath) {
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
        score.accuracy(),
        itsBest,
        ledger,
        ledgerExact,
        unusedSamples,
        ledgerAccounted,
        modelPath,
        historyPath,
        replicaR2s,
        score.r2(),
        score.lossOfValues(),
        recoveries);
  }
}
