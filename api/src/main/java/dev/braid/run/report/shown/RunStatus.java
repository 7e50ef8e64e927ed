package dev.braid.run.report.shown;

import dev.braid.run.pace.TimeLeft;
import dev.braid.run.report.reported.ReportedRun;
import dev.braid.run.result.EvaluatedSet;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.LossCheck;
import dev.braid.run.result.Outcome;
import dev.braid.run.result.Status;
import dev.braid.worker.report.Reports.Progress;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * Makes the status of a run for its clients: figures of all ranks together, the remaining time, and
 * notes.
 */
public final class RunStatus {

  private final ReportedRun run;
  private final int workersAsked;
  private final int epochs;
  private final double guessingLoss;
  private final long trainSamples;
  private final EvaluatedSet evaluated;
  private final LeftOutWorkers leftOutWorkers;

  /**
   * Creates the status of a run.
   *
   * @param run reports on the run
   * @param workersAsked number of workers that were asked for
   * @param epochs maximum number of epochs
   * @param guessingLoss mean loss of guessing, with which others are compared; NaN if there is none
   * @param trainSamples number of samples that each epoch uses
   * @param evaluated samples that evaluations are of
   * @param words describes how the exchange continues without excluded workers
   */
  public RunStatus(
      ReportedRun run,
      int workersAsked,
      int epochs,
      double guessingLoss,
      long trainSamples,
      EvaluatedSet evaluated,
      LeftOutWorkers.Words words) {
    this.run = run;
    this.workersAsked = workersAsked;
    this.epochs = epochs;
    this.guessingLoss = guessingLoss;
    this.trainSamples = trainSamples;
    this.evaluated = evaluated;
    this.leftOutWorkers = new LeftOutWorkers(words);
  }

  /**
   * Returns the current status.
   *
   * @param outcome how it ended, once it has
   * @param troubles which results cannot be written and why
   * @param seconds time since the run began
   */
  public Status of(
      Optional<Outcome> outcome, List<String> troubles, double seconds, long nowNanos) {
    List<Evaluation> made = run.made();
    int first = Math.max(0, made.size() - Status.EVALUATIONS);
    List<Integer> leftOut = leftOut();
    return new Status(
        run.latest().stream().mapToInt(progress -> progress.epoch() + 1).max().orElse(0),
        epochs,
        run.math().isComplete() ? run.workers() : 0,
        workersAsked,
        run.latest().stream().mapToLong(Progress::round).max().orElse(0),
        run.samples(),
        seconds,
        epochsDone(),
        secondsLeft(nowNanos),
        run.rate().loss(),
        run.rate().samplesPerSecond(nowNanos),
        run.latest().stream().mapToLong(Progress::bytesSent).sum(),
        List.copyOf(made.subList(first, made.size())),
        leftOut,
        behind(nowNanos),
        notes(leftOut, nowNanos),
        troubles,
        run.version(),
        evaluated,
        outcome);
  }

  private List<Integer> leftOut() {
    return run.latest().stream()
        .filter(progress -> progress.leftOut() && progress.rank() < run.workers())
        .map(Progress::rank)
        .toList();
  }

  private List<String> notes(List<Integer> leftOut, long nowNanos) {
    Optional<String> awaited = run.absences().awaited();
    Optional<String> without = leftOutWorkers.note(leftOut, run.workers(), nowNanos);
    return Stream.of(
            run.math().differences().stream(),
            lossFarAboveGuessing().stream(),
            // While all wait for a worker, no sum is made without it.
            awaited.or(() -> without).stream(),
            refusals().stream(),
            run.recoveries().notes().stream())
        .flatMap(lines -> lines)
        .toList();
  }

  private Optional<String> refusals() {
    return run.refuses()
        ? Optional.of(
            "warning: "
                + (run.samples() > 0
                    ? "some records are"
                    : "nothing is trained on: all records are")
                + " not valid samples: the topic with the suffix .dead-letters, or the stream of refused "
                + "records, has the reasons, and the ledger counts them at the end")
        : Optional.empty();
  }

  /**
   * Returns the workers that others wait for at the end. Epochs are over when all are evaluated. If
   * absent workers prevent that, epochs are over when most workers have done all of theirs and the
   * others have completed no round for a while.
   */
  private List<Status.Behind> behind(long nowNanos) {
    boolean areEvaluated = run.made().size() >= epochs;
    List<Progress> left =
        run.latest().stream()
            .filter(progress -> progress.rank() < run.workers() && !isDone(progress, areEvaluated))
            .toList();
    boolean isOver =
        areEvaluated
            || (2 * left.size() <= run.workers()
                && left.stream().allMatch(it -> run.absences().standsStill(it.rank(), nowNanos)));
    long rounds = run.latest().stream().mapToLong(Progress::round).max().orElse(0);
    return left.stream()
        .filter(progress -> isOver && progress.round() < rounds)
        .map(progress -> new Status.Behind(progress.rank(), progress.round()))
        .toList();
  }

  private boolean isDone(Progress worker, boolean areEvaluated) {
    return run.isDone(worker.rank())
        || (!areEvaluated && run.hasReported(epochs - 1, worker.rank()));
  }

  /**
   * Returns the number of complete epochs by samples, since workers of an asynchronous exchange are
   * in different epochs.
   */
  private double epochsDone() {
    long sinceLast = run.samples() - run.samplesEvaluated();
    double share = Math.min(1, Math.max(0, (double) sinceLast / trainSamples));
    int done = epochs == Status.ENDLESS ? run.lastMade() : run.made().size();
    return Math.min(epochs, done + share);
  }

  private OptionalDouble secondsLeft(long nowNanos) {
    if (epochs == Status.ENDLESS) {
      return OptionalDouble.empty();
    }
    double sinceLast = Math.max(0, run.samples() - run.samplesEvaluated());
    double samplesLeft = (double) (epochs - run.made().size()) * trainSamples - sinceLast;
    // The samples that excluded workers would have trained on are missed, so they need no time.
    long leftOut = run.latest().stream().filter(Progress::leftOut).count();
    return TimeLeft.seconds(
        run.made(),
        epochs - epochsDone(),
        samplesLeft * (run.workers() - leftOut) / run.workers(),
        run.rate().steadySamplesPerSecond(nowNanos),
        run.rate().isSteady());
  }

  /** Returns the warning of the first epoch that has one; one line is enough. */
  private Optional<String> lossFarAboveGuessing() {
    return run.made().stream()
        .flatMap(evaluation -> LossCheck.warning(evaluation, guessingLoss, evaluated).stream())
        .findFirst();
  }
}
