package dev.braid.run.report.verdict;

import dev.braid.connectors.DataChecksums;
import dev.braid.run.report.reported.ReportedRun;
import dev.braid.run.result.BestModel;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.Outcome;
import dev.braid.run.result.TestScore;
import dev.braid.worker.report.Reports.Finished;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Judges a run that is over. */
public final class Conclusion {

  private Conclusion() {}

  /**
   * Returns the outcome of a run.
   *
   * @param identical whether all replicas must have the same weights, bit for bit
   * @param trainSamples number of samples that each epoch should have used; empty for a stream
   * @param modelPath path to which the model will be written
   * @param historyPath path to which the history will be written
   * @param bestPath path of the best model, if there is one
   * @throws ReplicasDifferException if not all replicas have the same weights where they must
   * @throws IllegalStateException if a rank never reported that it was done
   */
  public static Outcome of(
      ReportedRun run,
      boolean identical,
      OptionalLong trainSamples,
      String modelPath,
      String historyPath,
      String bestPath) {
    Replicas replicas = replicas(run);
    if (identical) {
      replicas.checkIdentical();
    }
    List<Finished> finished = run.finished();
    TestScore score = score(run, replicas, trainSamples.isEmpty());
    boolean hasValues = score instanceof TestScore.Fit;
    List<Double> figures = replicas.scores().stream().map(TestScore::figure).toList();
    LedgerVerdict verdict = LedgerVerdict.of(run.ledger(), trainSamples, run.made());
    return new Outcome(
        replicas.digest(),
        finished.size(),
        finished.stream().filter(Finished::leftOut).map(Finished::rank).toList(),
        replicas.identical(),
        replicas.distance(),
        hasValues ? Optional.empty() : Optional.of(figures),
        hasValues ? Double.NaN : replicas.accuracyVariancePp2(),
        finished.stream().mapToLong(Finished::rounds).max().orElse(0),
        run.made().size(),
        score.accuracy(),
        run.epochModels().best().map(it -> bestModel(run, it.epoch(), bestPath)),
        verdict.sentence() + otherData(run.data()),
        verdict.exact(),
        verdict.unusedSamples(),
        verdict.accounted(),
        modelPath,
        historyPath,
        hasValues ? Optional.of(figures) : Optional.empty(),
        score.r2(),
        score.lossOfValues(),
        run.recoveries().known());
  }

  /**
   * Returns the score of the saved model: its own evaluation, if one was made when all workers were
   * at the end; else that of its replica, if each replica was evaluated; else that of the last
   * epoch.
   */
  private static TestScore score(ReportedRun run, Replicas replicas, boolean isStream) {
    if (replicas.finalScore().isPresent()) {
      return replicas.finalScore().get();
    }
    if (!replicas.scores().isEmpty()) {
      return replicas.scores().get(0);
    }
    if (run.made().isEmpty()) {
      return new TestScore.Accuracy(0);
    }
    Evaluation last = run.made().get(run.made().size() - 1);
    // A window in which nothing was scored has no figure.
    return last.testSamples() == 0 && isStream ? new TestScore.Accuracy(Double.NaN) : last.score();
  }

  /** Describes that a run continued with other samples: each id was used once, for two samples. */
  private static String otherData(List<String> data) {
    List<String> train = data.stream().map(DataChecksums::trainPart).distinct().toList();
    return train.size() < 2
        ? ""
        : "; the samples were of %d data sets, with checksums %s"
            .formatted(train.size(), String.join(", then ", train));
  }

  /** Returns the best model, whose epoch has an evaluation. */
  private static BestModel bestModel(ReportedRun run, int epoch, String path) {
    return new BestModel(epoch, run.made(epoch - 1).orElseThrow().score(), path);
  }

  private static Replicas replicas(ReportedRun run) {
    List<Finished> finished = run.finished();
    int workers = run.workers();
    if (finished.size() != workers) {
      throw new IllegalStateException(
          finished.size() + " of " + workers + " workers reported that they had finished");
    }
    return new Replicas(finished.stream().filter(rank -> !rank.leftOut()).toList());
  }
}
