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
 * How a run is getting on, as it is shown to whoever follows it: figures of all ranks together, how
 * long the rest takes, and what there is to say of it.
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
   * That of a run.
   *
   * @param run what is reported of it
   * @param workersAsked how many workers were asked for
   * @param epochs epochs at most
   * @param guessingLoss the mean loss of guessing, which others are held against; NaN for none
   * @param trainSamples samples that each epoch uses
   * @param evaluated samples that evaluations are of
   * @param words what is said of those who go on without others
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
   * How the run is getting on.
   *
   * @param outcome how it ended, once it has
   * @param troubles which results cannot be written, and why
   * @param seconds since the run began
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
            // Who waits adds up nothing.
            awaited.or(() -> without).stream(),
            refusals().stream(),
            run.recoveries().notes().stream())
        .flatMap(lines -> lines)
        .toList();
  }

  private Optional<String> refusals() {
    return run.refuses()
        ? Optional.of(
            "warning: some records are not valid samples: the dead letters, or the stream "
                + "of refused records, have the reasons, and the ledger counts them at the end")
        : Optional.empty();
  }

  /**
   * Epochs are over when all are evaluated; or, where those who are away keep them from being so,
   * when most workers have done all of theirs, and no other goes on.
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

  /** By samples: workers of an asynchronous exchange are in different epochs. */
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
    // What those who are left out would have trained on is missed.
    long leftOut = run.latest().stream().filter(Progress::leftOut).count();
    return TimeLeft.seconds(
        run.made(),
        epochs - epochsDone(),
        samplesLeft * (run.workers() - leftOut) / run.workers(),
        run.rate().steadySamplesPerSecond(nowNanos),
        run.rate().isSteady());
  }

  /** Says so of the first epoch only: one line is enough. */
  private Optional<String> lossFarAboveGuessing() {
    return run.made().stream()
        .flatMap(evaluation -> LossCheck.warning(evaluation, guessingLoss, evaluated).stream())
        .findFirst();
  }
}
