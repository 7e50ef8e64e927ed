package dev.braid.job.train;

import dev.braid.chaos.FaultReport;
import dev.braid.job.console.Durations;
import dev.braid.job.console.Places;
import dev.braid.job.console.Terminal;
import dev.braid.job.result.ByteCount;
import dev.braid.job.result.Evaluation;
import dev.braid.job.result.Outcome;
import dev.braid.job.result.Status;
import dev.braid.job.result.TestScore;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;

/** Shows a run's status as it changes. */
final class ProgressView {

  /** Between plain lines, which pile up. */
  private static final long PLAIN_INTERVAL_NANOS = 5_000_000_000L;

  /** A cluster takes a few seconds to begin; one without free slots says nothing, for ever. */
  private static final long PATIENCE_NANOS = 15_000_000_000L;

  private final Terminal terminal;
  private final long beganNanos;
  private boolean begun;
  private final ShownEpochs epochs = new ShownEpochs();
  private long shownNanos;
  private long shownRound;
  private OptionalInt shownWorkers = OptionalInt.empty();
  private List<Integer> shownLeftOut = List.of();
  private final Set<String> shownNotes = new HashSet<>();
  private List<String> shownTroubles = List.of();
  private final FaultLines faults;
  private final StallWatch stalls = new StallWatch();
  private final EndWatch ends = new EndWatch();

  ProgressView(Terminal terminal, long nowNanos) {
    this.terminal = terminal;
    this.beganNanos = nowNanos;
    this.shownNanos = nowNanos;
    this.faults = new FaultLines(terminal.isInteractive(), nowNanos);
  }

  /** What links say of faults: what has happened is shown, but not every single thing of many. */
  void showFaults(FaultReport report, long nowNanos) {
    faults.take(report, nowNanos).forEach(terminal::print);
  }

  /** Nothing is known of the run: after a while, says once what it may be waiting for. */
  void showNothing(int slots, long nowNanos) {
    if (!begun && nowNanos - beganNanos >= PATIENCE_NANOS) {
      begun = true;
      terminal.print(
          "nothing runs yet: the job needs %d free slots, and with fewer it waits for more"
              .formatted(slots));
    }
  }

  void show(Status status, long nowNanos) {
    begun = true;
    showNotes(status);
    showWorkers(status);
    showEvaluations(status, nowNanos);
    showLeftOut(status);
    showTroubles(status);
    if (status.round() == 0 || status.outcome().isPresent()) {
      return;
    }
    Optional<String> stall = stalls.stall(status.round(), status.samples(), nowNanos);
    Optional<String> end = ends.waitsFor(status, nowNanos);
    if (end.isPresent()) {
      stalls.beginAnew(nowNanos);
      showWait(end.get() + cause(status), ends::isLineDue, nowNanos);
    } else if (stall.isPresent()) {
      showWait(stall.get() + cause(status), stalls::isLineDue, nowNanos);
    } else if (epochs.last() == status.epochs() && status.behind().isEmpty()) {
      showSaving();
    } else if (terminal.isInteractive()) {
      terminal.update(lines(status));
      epochs.shown(status.bytes());
    } else if (nowNanos - shownNanos >= PLAIN_INTERVAL_NANOS && status.round() > shownRound) {
      terminal.print(line(status));
      epochs.shown(status.bytes());
      shownRound = status.round();
      shownNanos = nowNanos;
    }
  }

  /** Replicas are brought together, and the model is written: for a large one, on a slow disk. */
  private void showSaving() {
    if (terminal.isInteractive()) {
      terminal.update("saving …");
    }
  }

  private void showWait(String line, LongPredicate isLineDue, long nowNanos) {
    if (terminal.isInteractive()) {
      terminal.update(line);
    } else if (isLineDue.test(nowNanos)) {
      terminal.print(line);
    }
  }

  /** Faults that are in force; else who is known to be away. */
  private String cause(Status status) {
    String inForce = faults.inForce();
    if (!inForce.isEmpty() || status.leftOut().isEmpty()) {
      return inForce.isEmpty() ? "" : "; " + inForce;
    }
    return "; cut off: "
        + status.leftOut().stream()
            .map(worker -> "worker " + worker)
            .collect(Collectors.joining(", "));
  }

  private static String workers(List<Integer> workers) {
    return workers.stream().map(worker -> "worker " + worker).collect(Collectors.joining(", "));
  }

  private void showNotes(Status status) {
    status.notes().stream().filter(shownNotes::add).forEach(terminal::print);
  }

  /** A cluster's scheduler may go on with fewer, and with more when it can. */
  private void showWorkers(Status status) {
    int workers = status.workers();
    if (workers > 0 && workers != shownWorkers.orElse(status.workersAsked())) {
      shownWorkers = OptionalInt.of(workers);
      terminal.print(
          (workers == 1 ? "1 worker now, " : workers + " workers now, ")
              + (workers == status.workersAsked()
                  ? "as asked for"
                  : "of " + status.workersAsked() + " asked for"));
    }
  }

  /** Those that have not been shown, or with other figures. */
  void showEvaluations(Status status, long nowNanos) {
    for (String line : epochs.take(status)) {
      shownNanos = nowNanos;
      terminal.print(line);
    }
  }

  private void showLeftOut(Status status) {
    for (int worker : status.leftOut()) {
      if (!shownLeftOut.contains(worker)) {
        String lost = faults.inForceAt(worker);
        terminal.print(
            "worker "
                + worker
                + " has no way left to the others: training goes on without it"
                + (lost.isEmpty() ? "" : "; " + lost));
      }
    }
    for (int worker : shownLeftOut) {
      if (!status.leftOut().contains(worker)) {
        terminal.print("worker " + worker + " is back, with a copy of the model");
      }
    }
    shownLeftOut = status.leftOut();
  }

  private void showTroubles(Status status) {
    if (status.outcome().isPresent()) {
      // Those of the end are told with it.
      return;
    }
    for (String trouble : status.troubles()) {
      if (!shownTroubles.contains(trouble)) {
        terminal.print(trouble + "; training goes on, and it is tried again");
      }
    }
    if (status.troubles().isEmpty() && !shownTroubles.isEmpty()) {
      terminal.print("all that was to be written is written");
    }
    shownTroubles = status.troubles();
  }

  void showOutcome(Outcome outcome) {
    terminal.print("");
    TestScore score = outcome.score();
    terminal.print(headed("test " + score.title(), terminal.strong(score.inWords())));
    if (score instanceof TestScore.Fit fit) {
      terminal.print(headed("test loss", String.format(Locale.ROOT, "%.4f", fit.loss())));
    }
    terminal.print("digest         " + outcome.digest());
    terminal.print("replicas       " + replicas(outcome));
    if (!outcome.replicaScores().isEmpty()) {
      terminal.print(replicaScores(outcome.replicaScores(), outcome));
    }
    terminal.print("ledger         " + outcome.ledger());
    terminal.print("model          " + Places.shown(outcome.model()));
    outcome
        .best()
        .ifPresent(
            best ->
                terminal.print(
                    "best           %s after epoch %d%s: %s"
                        .formatted(
                            best.score().qualityInWords(),
                            best.epoch(),
                            best.score().quality() < outcome.score().quality()
                                ? " (the saved model is better)"
                                : "",
                            Places.shown(best.model()))));
    terminal.print("history        " + Places.shown(outcome.history()));
  }

  static String line(Evaluation evaluation, int epochs) {
    return String.format(
        Locale.ROOT,
        "epoch %s  %s %7.1f s %9s exchanged",
        epochOf(evaluation.epoch(), epochs),
        ShownEpochs.figures(evaluation),
        evaluation.seconds(),
        ByteCount.inWords(evaluation.bytes()));
  }

  static String line(Status status) {
    return lines(status).get(0);
  }

  /** The line, and shorter ones for narrow terminals, without what is least needed. */
  private static List<String> lines(Status status) {
    String score =
        status
            .lastEvaluation()
            .map(last -> "  " + last.score().title() + " " + last.scoreInWords())
            .orElse("");
    String rate =
        status.samplesPerSecond() > 0
            ? String.format(Locale.ROOT, " %,9.0f samples/s", status.samplesPerSecond())
            : " %9s samples/s".formatted("–");
    String bytes = " %9s exchanged".formatted(ByteCount.inWords(status.bytes()));
    String epoch = epochUnderWay(status);
    String loss = String.format(Locale.ROOT, "  loss %.4f", status.loss());
    return List.of(
        epoch + loss + score + rate + bytes,
        epoch + loss + score + rate,
        epoch + score + rate,
        epoch + rate,
        epoch);
  }

  private static String epochUnderWay(Status status) {
    // An epoch is under way until it is evaluated.
    int over =
        Math.min(status.lastEvaluation().map(Evaluation::epoch).orElse(0), status.epochs() - 1);
    return String.format(
        Locale.ROOT,
        "epoch %s %3.0f %%%s",
        epochOf(over + 1, status.epochs()),
        Math.floor(100 * (status.epochsDone() - over)),
        timeLeft(status));
  }

  /** Of the same width in all epochs. */
  private static String epochOf(int epoch, int epochs) {
    String last = Integer.toString(epochs);
    return String.format(Locale.ROOT, "%" + last.length() + "d/%s", epoch, last);
  }

  private static String timeLeft(Status status) {
    return status.secondsLeft().stream()
        .mapToObj(seconds -> ", " + Durations.inWords(Math.round(seconds)) + " left")
        .findFirst()
        .orElse("");
  }

  private static String headed(String what, String value) {
    return "%-15s%s".formatted(what, value);
  }

  /**
   * Between which scores replicas are.
   *
   * @param scores from the least on
   */
  private static String replicaScores(List<TestScore> scores, Outcome outcome) {
    String least = scores.get(0).inWords();
    String greatest = scores.get(scores.size() - 1).inWords();
    String of = " of the replicas before they were brought together";
    return scores.get(0) instanceof TestScore.Accuracy
        ? headed(
            "accuracies",
            String.format(
                Locale.ROOT,
                "%s to %s%s, variance %.4f pp²",
                least.replace(" %", ""),
                greatest,
                of,
                outcome.accuracyVariancePp2()))
        : headed("R²", least + " to " + greatest + of);
  }

  private static String replicas(Outcome outcome) {
    int ranks = outcome.ranks() - outcome.leftOut().size();
    String compared =
        outcome.identical() == ranks
            ? "identical: yes (" + ranks + " of " + ranks + ")"
            : String.format(
                Locale.ROOT,
                "%d, each %.3f %% from their mean; the model is that of worker 0",
                ranks,
                100 * outcome.distance());
    return outcome.leftOut().isEmpty()
        ? compared
        : compared + "; cut off in the end, with an old model: " + workers(outcome.leftOut());
  }
}
