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
 * @param ranks replicas
 * @param leftOut ranks that were cut off in the end, and whose replicas do not count
 * @param identical how many replicas have this digest
 * @param distance how far replicas are apart: the root mean square of a weight's distance from the
 *     replicas' mean, as a share of that of the weights; 0 where all are identical
 * @param replicaAccuracies of each replica on the whole test set when its worker had computed its
 *     last gradient, from 0 to 1, by rank; none where replicas are the same whenever a round is
 *     complete; absent where samples have values
 * @param accuracyVariancePp2 their variance, in percentage points squared; 0 where there are none,
 *     NaN where samples have values
 * @param rounds rounds complete
 * @param epochs epochs complete
 * @param testAccuracy of the final model, from 0 to 1; NaN where samples have values
 * @param best the model of the epoch with the best score; none where no epoch's was handed over
 * @param ledger what the ledger found, in a sentence
 * @param ledgerExact whether every sample was used exactly once in each epoch
 * @param unusedSamples how many uses of samples are missing, as a worker was cut off for a while
 *     and others went on without it
 * @param ledgerAccounted whether that is all that keeps the ledger from being exact
 * @param model the model's path
 * @param history the history's path
 * @param replicaR2s as {@code replicaAccuracies}, where samples have values; else absent
 * @param testR2 of the final model, where samples have values; else NaN
 * @param testLoss the same
 * @param recoveries how the run has come through failures; absent where none is known of
 * @param times how long gradients took, of a synchronous run; absent where they are not known
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
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<List<Recovery>> recoveries,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<MeasuredTimes> times) {

  /** How good the final model is. */
  public TestScore score() {
    return TestScore.of(testAccuracy, testR2, testLoss);
  }

  /** The figures of the replicas, from the least to the greatest. */
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
        best.map(it -> it.tested(bestScore)),
        ledger,
        ledgerExact,
        unusedSamples,
        ledgerAccounted,
        model,
        history,
        replicaR2s,
        score.r2(),
        score.lossOfValues(),
        recoveries,
        times);
  }

  /** The same with its files at other places. */
  public Outcome at(String modelPath, String historyPath, String bestPath) {
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
        best.map(it -> it.at(bestPath)),
        ledger,
        ledgerExact,
        unusedSamples,
        ledgerAccounted,
        modelPath,
        historyPath,
        replicaR2s,
        testR2,
        testLoss,
        recoveries,
        times);
  }
}
