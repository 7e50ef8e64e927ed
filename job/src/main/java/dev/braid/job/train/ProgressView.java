package dev.braid.job.train;

import dev.braid.chaos.FaultReport;
import dev.braid.job.console.Durations;
import dev.braid.job.console.Places;
import dev.braid.job.console.Terminal;
import dev.braid.job.page.ShownNotes;
import dev.braid.job.rest.JobSight;
import dev.braid.run.result.ByteCount;
import dev.braid.run.result.EvaluatedSet;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.Outcome;
import dev.braid.run.result.OutcomeText;
import dev.braid.run.result.Status;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongPredicate;

/** Display of a run's status as it changes. */
final class ProgressView {

  /** Nanoseconds between plain lines, which are not overwritten. */
  private static final long PLAIN_INTERVAL_NANOS = 5_000_000_000L;

  private final Terminal terminal;
  private final ShownEpochs epochs = new ShownEpochs();
  private long shownNanos;
  private long shownRound;
  private OptionalInt shownWorkers = OptionalInt.empty();
  private List<Integer> shownLeftOut = List.of();
  private final ShownNotes notes = new ShownNotes();
  private List<String> shownTroubles = List.of();
  private final FaultLines faults;
  private final StallWatch stalls = new StallWatch();
  private final EndWatch ends = new EndWatch();
  private final JobLines jobs;

  /** Whether the status is shown only once. */
  private final boolean atOnce;

  /** Creates the display of a run that is followed from now on. */
  ProgressView(Terminal terminal, long nowNanos) {
    this(terminal, nowNanos, false);
  }

  private ProgressView(Terminal terminal, long nowNanos, boolean atOnce) {
    this.terminal = terminal;
    this.atOnce = atOnce;
    this.jobs = atOnce ? JobLines.atOnce() : new JobLines();
    this.shownNanos = nowNanos;
    this.faults = new FaultLines(terminal.isInteractive(), nowNanos);
  }

  /** Creates the display of a run that is shown once, without intervals between lines. */
  static ProgressView atOnce(Terminal terminal) {
    return new ProgressView(terminal, System.nanoTime(), true);
  }

  /** Shows faults that links report; of many, only some. */
  void showFaults(FaultReport report, long nowNanos) {
    faults.take(report, nowNanos).forEach(terminal::print);
  }

  /** Shows the job's state in Flink, apart from training. */
  void showJob(JobSight sight, boolean hasStatus, long nowNanos) {
    if (jobs.answered()) {
      terminal.print("the cluster answers again");
    }
    jobs.take(sight, hasStatus, nowNanos).forEach(terminal::print);
    if (terminal.isInteractive() && !hasStatus && !atOnce) {
      jobs.underWay().ifPresent(terminal::update);
    }
  }

  /** Shows that the cluster does not answer. */
  void showSilence(String address, String reason, long nowNanos) {
    jobs.silence(address, reason, nowNanos)
        .ifPresent(line -> showWait(line.text(), ignored -> line.isDue(), nowNanos));
  }

  void show(Status status, long nowNanos) {
    notes.take(status).forEach(terminal::print);
    showWorkers(status);
    showEvaluations(status, nowNanos);
    showLeftOut(status);
    showTroubles(status);
    if (status.round() == 0 || status.outcome().isPresent()) {
      return;
    }
    if (atOnce) {
      terminal.print(line(status));
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

  /**
   * Shows that replicas are merged and the model is written, which takes a while for a large one on
   * a slow disk.
   */
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

  /** Returns the faults in force, or else the excluded workers. */
  private String cause(Status status) {
    String inForce = faults.inForce();
    if (!inForce.isEmpty() || status.leftOut().isEmpty()) {
      return inForce.isEmpty() ? "" : "; " + inForce;
    }
    return "; excluded: " + OutcomeText.workers(status.leftOut());
  }

  /**
   * Shows the number of workers. A cluster's scheduler may continue with fewer, and later with
   * more.
   */
  private void showWorkers(Status status) {
    int workers = status.workers();
    if (workers > 0 && workers != shownWorkers.orElse(status.workersAsked())) {
      shownWorkers = OptionalInt.of(workers);
      terminal.print(
          (workers == 1 ? "1 worker now, " : workers + " workers now, ")
              + (workers == status.workersAsked()
                  ? "as requested"
                  : "of " + status.workersAsked() + " requested"));
    }
  }

  /** Shows evaluations that have not been shown, or whose figures have changed. */
  void showEvaluations(Status status, long nowNanos) {
    for (String line : epochs.take(status, terminal::hasRoomFor)) {
      shownNanos = nowNanos;
      terminal.print(line);
    }
  }

  private void showLeftOut(Status status) {
    for (int worker : status.leftOutSince(shownLeftOut)) {
      String lost = faults.inForceAt(worker);
      terminal.print(
          "worker "
              + worker
              + " has no path to the others and is excluded until it has one"
              + (lost.isEmpty() ? "" : "; " + lost));
    }
    for (int worker : status.backSince(shownLeftOut)) {
      terminal.print("worker " + worker + " has rejoined with a copy of the model");
    }
    shownLeftOut = status.leftOut();
  }

  private void showTroubles(Status status) {
    if (status.outcome().isPresent()) {
      // The end of the run reports the final ones.
      return;
    }
    for (String trouble : status.troubles()) {
      if (!shownTroubles.contains(trouble)) {
        terminal.print(trouble + "; training continues, and writing is tried again");
      }
    }
    if (status.troubles().isEmpty() && !shownTroubles.isEmpty()) {
      terminal.print("all pending results are written");
    }
    shownTroubles = status.troubles();
  }

  /**
   * Shows the outcome of the run.
   *
   * @param evaluated samples of the final model's score
   * @param host host of the results; empty if it is this machine, or if all machines reach them
   */
  void showOutcome(Outcome outcome, EvaluatedSet evaluated, Optional<String> host) {
    terminal.print("");
    boolean isFirst = true;
    for (OutcomeText.Line line : OutcomeText.of(outcome, evaluated, Places::shown)) {
      String value = isFirst ? terminal.strong(line.value()) : line.value();
      terminal.print("%-15s%s".formatted(line.name(), value));
      isFirst = false;
    }
    host.ifPresent(name -> terminal.print("%-15s%s".formatted("on host", name)));
  }

  static String line(Evaluation evaluation, Status status) {
    return shortLine(evaluation, status)
        + " %9s exchanged".formatted(ByteCount.inWords(evaluation.bytes()));
  }

  /** Returns the line of an epoch for a narrow terminal: without the bytes that were exchanged. */
  static String shortLine(Evaluation evaluation, Status status) {
    return String.format(
        Locale.ROOT,
        "%s %s  %s %7.1f s",
        status.unit(),
        epochOf(evaluation.epoch(), status.epochs()),
        ShownEpochs.figures(evaluation, status.evaluated()),
        evaluation.seconds());
  }

  static String line(Status status) {
    return lines(status).get(0);
  }

  /**
   * Returns the line of a status, followed by shorter ones for narrow terminals without less
   * important parts.
   */
  private static List<String> lines(Status status) {
    String score =
        status
            .lastEvaluation()
            .filter(last -> last.testSamples() > 0)
            .map(last -> "  " + last.score().title() + " " + last.scoreInWords())
            .orElse("");
    String rate =
        status.samplesPerSecond() > 0
            ? String.format(Locale.ROOT, " %,9.0f samples/s", status.samplesPerSecond())
            : " %9s samples/s".formatted("–");
    String bytes = " %9s exchanged".formatted(ByteCount.inWords(status.bytes()));
    String version = status.version() == 0 ? "" : "  v" + status.version() + " published";
    String epoch = epochUnderWay(status);
    String loss =
        Double.isNaN(status.loss()) ? "" : String.format(Locale.ROOT, "  loss %.4f", status.loss());
    return List.of(
        epoch + loss + score + rate + bytes + version,
        epoch + loss + score + rate + bytes,
        epoch + loss + score + rate,
        epoch + score + rate,
        epoch + rate,
        epoch);
  }

  private static String epochUnderWay(Status status) {
    // An epoch is in progress until it is evaluated.
    int over =
        Math.min(status.lastEvaluation().map(Evaluation::epoch).orElse(0), status.epochs() - 1);
    return String.format(
        Locale.ROOT,
        "%s %s %3.0f %%%s",
        status.unit(),
        epochOf(over + 1, status.epochs()),
        Math.floor(100 * (status.epochsDone() - over)),
        timeLeft(status));
  }

  /** Returns the number of an epoch, in the same width for all epochs. */
  private static String epochOf(int epoch, int epochs) {
    if (epochs == Status.ENDLESS) {
      return Integer.toString(epoch);
    }
    String last = Integer.toString(epochs);
    return String.format(Locale.ROOT, "%" + last.length() + "d/%s", epoch, last);
  }

  private static String timeLeft(Status status) {
    return status.secondsLeft().stream()
        .mapToObj(seconds -> ", " + Durations.inWords(Math.round(seconds)) + " left")
        .findFirst()
        .orElse("");
  }
}
