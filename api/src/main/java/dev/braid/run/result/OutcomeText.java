package dev.braid.run.result;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Describes for people how a run ended. A terminal shows these lines at the end of the run, and
 * Flink's web UI shows them among the job's accumulators.
 */
public final class OutcomeText {

  /** Prefix of the accumulators' names. */
  private static final String PREFIX = "braid.";

  /** Accumulator that names the machine on which the results were written. */
  public static final String HOST = PREFIX + "results-on";

  private OutcomeText() {}

  /**
   * A line of the description.
   *
   * @param name subject of the line
   */
  public record Line(String name, String value) {

    /** Returns the name of the accumulator that has the line. */
    public String accumulator() {
      return PREFIX + name.replace(' ', '-');
    }
  }

  /**
   * Returns all lines, in reading order.
   *
   * @param evaluated samples that the final model's score is of
   * @param shown converts the path of a file to the text that is shown
   */
  public static List<Line> of(
      Outcome outcome, EvaluatedSet evaluated, UnaryOperator<String> shown) {
    List<Line> lines = new ArrayList<>(score(outcome, evaluated));
    lines.add(new Line("digest", outcome.digest()));
    lines.add(new Line("replicas", replicas(outcome)));
    if (outcome.replicaScores().size() > 1) {
      lines.add(replicaScores(outcome.replicaScores(), outcome));
    }
    lines.add(new Line("ledger", outcome.ledger()));
    outcome
        .recoveries()
        .ifPresent(
            all ->
                lines.add(new Line("recoveries", Recoveries.inWords(all, outcome.ledgerExact()))));
    lines.add(new Line("model", shown.apply(outcome.model())));
    outcome
        .best()
        .ifPresent(
            best ->
                lines.add(
                    new Line(
                        "best", bestInWords(best, outcome) + ": " + shown.apply(best.model()))));
    lines.add(new Line("history", shown.apply(outcome.history())));
    return lines;
  }

  /** Returns the lines with the score of the final model; none if the run evaluated none. */
  public static List<Line> score(Outcome outcome, EvaluatedSet evaluated) {
    TestScore score = outcome.score();
    // For a data set, the word precedes each figure. For a stream, a longer text follows it.
    String set = evaluated.isOfStream() ? "" : "test ";
    String of =
        switch (evaluated) {
          case TEST, VALIDATION -> "";
          case HOLDOUT -> " of the held-out records of the last window";
          case PROGRESSIVE -> " of the records of the last window, each before it was trained on";
        };
    List<Line> lines = new ArrayList<>();
    if (outcome.epochs() > 0 || !evaluated.isOfStream()) {
      if (!Double.isNaN(score.figure()) || !Double.isNaN(score.lossOfValues())) {
        lines.add(new Line(set + score.title(), score.inWords() + of));
      }
      if (score instanceof TestScore.Fit fit && !Double.isNaN(fit.loss())) {
        lines.add(new Line(set + "loss", String.format(Locale.ROOT, "%.4f", fit.loss()) + of));
      }
    }
    return List.copyOf(lines);
  }

  /** Describes the score of the best epoch's model, and by which samples it was chosen. */
  public static String bestInWords(BestModel best, Outcome outcome) {
    return "%s on the test set, %s, after epoch %d%s"
        .formatted(
            best.score().qualityInWords(),
            best.validationScore()
                .map(score -> "chosen by " + score.qualityInWords() + " on validation samples")
                .orElse("by which it was chosen"),
            best.epoch(),
            best.score().quality() < outcome.score().quality()
                ? " (the saved model is better)"
                : "");
  }

  /**
   * Returns a line with the range of the replicas' scores.
   *
   * @param scores scores, ascending
   */
  private static Line replicaScores(List<TestScore> scores, Outcome outcome) {
    String least = scores.get(0).inWords();
    String greatest = scores.get(scores.size() - 1).inWords();
    String of = " of the replicas before they were averaged";
    return scores.get(0) instanceof TestScore.Accuracy
        ? new Line(
            "accuracies",
            String.format(
                Locale.ROOT,
                "%s to %s%s, variance %.4f pp²",
                least.replace(" %", ""),
                greatest,
                of,
                outcome.accuracyVariancePp2()))
        : new Line("R²", least + " to " + greatest + of);
  }

  private static String replicas(Outcome outcome) {
    int ranks = outcome.ranks() - outcome.leftOut().size();
    String compared =
        outcome.identical() == ranks
            ? "identical: yes (" + ranks + " of " + ranks + ")"
            : String.format(
                Locale.ROOT,
                "%d, each %.3f %% from their mean; the model is the replica of worker 0",
                ranks,
                100 * outcome.distance());
    return outcome.leftOut().isEmpty()
        ? compared
        : compared + "; excluded at the end, with an old model: " + workers(outcome.leftOut());
  }

  /** Returns the names of workers, separated by commas. */
  public static String workers(List<Integer> workers) {
    return workers.stream().map(worker -> "worker " + worker).collect(Collectors.joining(", "));
  }
}
