package dev.braid.job.train;

import dev.braid.exchange.Figure;
import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.Places;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.LossCheck;
import dev.braid.run.result.Outcome;
import dev.braid.run.result.RunGoal;
import dev.braid.run.result.Status;
import dev.braid.run.result.TestScore;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Verdict on a run that has trained.
 *
 * @param exitCode exit code of the process
 * @param complaints sentences about each problem
 */
record RunVerdict(int exitCode, List<String> complaints) {

  /** Least difference of accuracies or R² that counts. Smaller ones occur between epochs. */
  private static final double MUCH_WORSE = 0.02;

  RunVerdict {
    complaints = List.copyOf(complaints);
  }

  /**
   * Judges a run by its final report.
   *
   * @param goal goal of the run
   */
  static RunVerdict of(Status end, TargetVerdict target, RunGoal goal) {
    Outcome outcome = end.outcome().orElseThrow();
    boolean samplesAreWell =
        outcome.ledgerExact() || (outcome.ledgerAccounted() && !goal.required().everySample());
    List<String> complaints = new ArrayList<>();
    target.missed().ifPresent(complaints::add);
    worseThanBest(outcome).ifPresent(complaints::add);
    end.lastEvaluation()
        .flatMap(
            last ->
                LossCheck.warning(
                    last, goal.guessingLoss(), end.evaluated(), goal.mayStandardize()))
        .ifPresent(complaints::add);
    end.lastEvaluation().flatMap(RunVerdict::nothingSent).ifPresent(complaints::add);
    if (!samplesAreWell) {
      complaints.add("not every sample was used exactly once: see the ledger above");
    }
    boolean hasTrained = end.samples() > 0;
    if (!hasTrained) {
      complaints.add(
          "no sample was used for training; a topic's refused records are in its "
              + "dead-letter topic, with the reasons");
    }
    complaints.addAll(end.troubles());
    boolean allWell = samplesAreWell && hasTrained && end.troubles().isEmpty();
    return new RunVerdict(exitCode(allWell, target), complaints);
  }

  private static int exitCode(boolean allWell, TargetVerdict target) {
    if (!allWell) {
      return ExitCodes.FAILED;
    }
    return target.missed().isPresent() ? ExitCodes.TARGET_MISSED : ExitCodes.OK;
  }

  /** Returns a warning if the saved model is much worse than the best one. */
  private static Optional<String> worseThanBest(Outcome outcome) {
    return outcome
        .best()
        .filter(best -> best.score().figure() - outcome.score().figure() >= MUCH_WORSE)
        .map(
            best ->
                String.format(
                    Locale.ROOT,
                    "warning: the saved model has %s, after epoch %d it was %s: use %s",
                    figure(outcome.score()),
                    best.epoch(),
                    figure(best.score()),
                    Places.shown(best.model())));
  }

  /**
   * Returns a warning if the threshold of compressed gradients is so large that no element exceeds
   * it.
   */
  private static Optional<String> nothingSent(Evaluation last) {
    return last.worker().get(Figure.DENSITY) == 0
        ? Optional.of(
            String.format(
                Locale.ROOT,
                "warning: no gradients were sent in epoch %d, as no element exceeded the threshold"
                    + " of %.3g: use a smaller threshold, or a share of the elements, such as"
                    + " compress=threshold:1%%",
                last.epoch(),
                last.worker().get(Figure.THRESHOLD)))
        : Optional.empty();
  }

  private static String figure(TestScore score) {
    return score instanceof TestScore.Fit ? "R² " + score.inWords() : score.inWords();
  }
}
