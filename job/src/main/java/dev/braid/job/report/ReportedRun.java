package dev.braid.job.report;

import dev.braid.job.pace.Rate;
import dev.braid.job.pace.TimeLeft;
import dev.braid.job.result.BestModel;
import dev.braid.job.result.Evaluation;
import dev.braid.job.result.LossCheck;
import dev.braid.job.result.Outcome;
import dev.braid.job.result.Recoveries;
import dev.braid.job.result.Status;
import dev.braid.job.result.TestScore;
import dev.braid.job.result.WorkersMath;
import dev.braid.ledger.LedgerSummary;
import dev.braid.worker.report.ErrorRates;
import dev.braid.worker.report.Reports.Began;
import dev.braid.worker.report.Reports.Evaluated;
import dev.braid.worker.report.Reports.Finished;
import dev.braid.worker.report.Reports.ModelPart;
import dev.braid.worker.report.Reports.Progress;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/**
 * All that is known of a run: what has been reported, and what follows from it.
 *
 * <p>How many reports belong together, they say themselves: a job may get more or fewer slots than
 * it asked for, and others after a failure. What some ranks of an earlier attempt have said at
 * their end does not count beside what all of a later one say.
 */
final class ReportedRun {

  private final int epochs;
  private final double guessingLoss;
  private final long trainSamples;
  private final int workersAsked;
  private int workers;
  private final Rate rate = new Rate();
  private final Map<Integer, Progress> latest = new TreeMap<>();
  private final Evaluations evaluations = new Evaluations();
  private final Map<Integer, Finished> finished = new TreeMap<>();
  private final Map<Integer, LedgerSummary> ledger = new TreeMap<>();
  private final AssembledModel model = new AssembledModel();
  private final EpochModels epochModels = new EpochModels();
  private final ErrorRates errorRates;
  private final WorkersMath math;
  private final Absences absences = new Absences();
  private final Recoveries recoveries = new Recoveries();
  private final LeftOutWorkers leftOutWorkers;

  /** Of all epochs, also of what is not evaluated yet. */
  private long samples;

  private Optional<Outcome> outcome = Optional.empty();

  /**
   * That of a run that begins.
   *
   * @param workers how many were asked for
   */
  ReportedRun(int workers, int epochs) {
    this(workers, epochs, Double.NaN, 1000, Optional.empty());
  }

  /**
   * The same, with the loss of guessing, which others are held against.
   *
   * @param workers how many were asked for
   * @param guessingLoss as in {@link ReportConfig}
   * @param trainSamples that each epoch uses
   * @param truth as {@link ErrorRates} take it
   */
  ReportedRun(
      int workers, int epochs, double guessingLoss, long trainSamples, Optional<float[]> truth) {
    this(workers, epochs, guessingLoss, trainSamples, truth, LeftOutWorkers.Words.NONE);
  }

  /** The same, with what is said of those who go on without others. */
  ReportedRun(
      int workers,
      int epochs,
      double guessingLoss,
      long trainSamples,
      Optional<float[]> truth,
      LeftOutWorkers.Words words) {
    this.errorRates = new ErrorRates(truth);
    this.workersAsked = workers;
    this.workers = workers;
    this.math = new WorkersMath();
    this.epochs = epochs;
    this.guessingLoss = guessingLoss;
    this.trainSamples = trainSamples;
    this.leftOutWorkers = new LeftOutWorkers(words);
  }

  /** Takes over what was known before a failure, of as many workers or of others. */
  void restore(Iterable<Evaluation> made, Iterable<Evaluated> parts) {
    evaluations.restore(made, parts);
    samples = evaluations.samples();
    for (Evaluated part : parts) {
      workers = part.isOfEarlierWorkers() ? workers : part.workers();
    }
  }

  /** How many samples were counted before a failure, with those of the epoch that was under way. */
  void restoreSamples(long counted) {
    samples = counted;
  }

  void add(Began worker) {
    workersAre(worker.workers());
    math.add(worker);
  }

  private void workersAre(int count) {
    if (count != workers) {
      workers = count;
      rate.forgetAll();
      evaluations.dealAnew();
    }
  }

  void add(Progress progress, long nowNanos) {
    latest.put(progress.rank(), progress);
    recoveries.add(Arrays.asList(progress.recoveries()));
    absences.add(progress, nowNanos);
    samples += progress.samples();
    if (progress.leftOut()) {
      rate.forget(progress.rank());
    } else if (progress.samples() > 0 || !rate.counts(progress.rank())) {
      rate.add(progress.rank(), nowNanos, progress.samples(), progress.lossSum());
    }
  }

  /**
   * Adds a rank's part of an evaluation.
   *
   * @return the evaluation, if it is new or another than before
   */
  Optional<Evaluation> add(Evaluated part, double seconds) {
    if (!evaluations.awaits(part)) {
      return Optional.empty();
    }
    workersAre(part.workers());
    return evaluations.add(part, workers, this::bytesOfOthers, seconds);
  }

  /**
   * Evaluates the epochs that lack only the reports of workers who are away, by what the others
   * have: nobody is to wait for an accuracy for as long as one of many is cut off. What those
   * trained on, and their part of the test set, is added when they are back.
   *
   * @return whether there are such epochs
   */
  boolean evaluateWithoutAbsent(long nowNanos, double seconds) {
    return evaluations.evaluateWithoutAbsent(
        epoch -> epoch.lacksOnly(rank -> absences.isAway(rank, speaksOf(epoch), nowNanos), workers),
        this::bytesOfOthers,
        seconds);
  }

  /**
   * Who is asked which workers are away: those behind the workers, to whom alone workers have
   * links; where there are none, the workers themselves.
   */
  private IntPredicate speaksOf(OpenEpoch epoch) {
    boolean areServed = latest.keySet().stream().anyMatch(rank -> rank >= workers);
    return areServed ? rank -> rank >= workers : epoch::hasReported;
  }

  /** Ranks behind the workers evaluate nothing, and those that are cut off report late. */
  private long bytesOfOthers(OpenEpoch epoch) {
    return latest.values().stream()
        .filter(progress -> progress.rank() >= workers || !epoch.hasReported(progress.rank()))
        .mapToLong(Progress::bytesSent)
        .sum();
  }

  void add(Finished rank) {
    workersAre(rank.ranks());
    finished.values().removeIf(old -> old.ranks() != workers);
    finished.put(rank.rank(), rank);
    absences.finished(rank.rank());
  }

  /**
   * Adds a part of a model.
   *
   * @return whether more is known of an epoch's error now
   */
  boolean add(ModelPart part) {
    if (part.epoch() == ModelPart.FINAL) {
      model.add(part);
      return false;
    }
    epochModels.add(part);
    return errorRates.add(part);
  }

  /** Whether there is a better model than when this was asked last. */
  boolean hasNewBest() {
    return epochModels.compare(evaluations.made());
  }

  void add(LedgerSummary summary) {
    ledger.values().removeIf(old -> old.subtasks() != summary.subtasks());
    ledger.put(summary.subtask(), summary);
  }

  /** How many workers there are, as the latest reports have it. */
  int workers() {
    return workers;
  }

  long samples() {
    return samples;
  }

  List<Evaluation> evaluations() {
    return evaluations.made().stream().map(this::withErrorRates).toList();
  }

  private Evaluation withErrorRates(Evaluation made) {
    return errorRates
        .of(made.epoch())
        .map(rates -> made.withErrorRates(rates.relative(), rates.normalized()))
        .orElse(made);
  }

  /** How far the model has come. */
  ErrorRates errorRates() {
    return errorRates;
  }

  List<Evaluated> openParts() {
    return evaluations.openParts();
  }

  List<Finished> finished() {
    return List.copyOf(finished.values());
  }

  List<LedgerSummary> ledger() {
    return List.copyOf(ledger.values());
  }

  /** With which kernels workers compute. */
  WorkersMath math() {
    return math;
  }

  /** How it has come through failures. */
  Recoveries recoveries() {
    return recoveries;
  }

  AssembledModel model() {
    return model;
  }

  /** The best one so far, and those that may be. */
  EpochModels epochModels() {
    return epochModels;
  }

  Optional<Outcome> outcome() {
    return outcome;
  }

  /** The run's results are elsewhere than they were to be. */
  void moved(String modelPath, String historyPath, String bestPath) {
    outcome = outcome.map(there -> there.at(modelPath, historyPath, bestPath));
  }

  /**
   * Judges the run, which is over.
   *
   * @throws ReplicasDifferException if not all replicas have the same weights where they must
   * @throws IllegalStateException if a rank never said that it was done
   */
  Outcome conclude(ReportConfig config) {
    Replicas replicas = replicas();
    if (config.identical()) {
      replicas.checkIdentical();
    }
    TestScore score = score(replicas);
    boolean hasValues = score instanceof TestScore.Fit;
    List<Double> figures = replicas.scores().stream().map(TestScore::figure).toList();
    LedgerVerdict verdict =
        LedgerVerdict.of(ledger.values(), config.trainSamples(), evaluations.made());
    Outcome concluded =
        new Outcome(
            replicas.digest(),
            finished.size(),
            finished.values().stream().filter(Finished::leftOut).map(Finished::rank).toList(),
            replicas.identical(),
            replicas.distance(),
            hasValues ? Optional.empty() : Optional.of(figures),
            hasValues ? Double.NaN : replicas.accuracyVariancePp2(),
            finished.values().stream().mapToLong(Finished::rounds).max().orElse(0),
            evaluations.made().size(),
            score.accuracy(),
            epochModels.best().map(it -> bestModel(it.epoch(), config.bestPath())),
            verdict.sentence(),
            verdict.exact(),
            verdict.unusedSamples(),
            verdict.accounted(),
            config.modelPath(),
            config.historyPath(),
            hasValues ? Optional.of(figures) : Optional.empty(),
            score.r2(),
            score.lossOfValues(),
            recoveries.known(),
            replicas.times());
    outcome = Optional.of(concluded);
    return concluded;
  }

  /**
   * That of the saved model: of its own evaluation, where it was made when all were at the end; or
   * of the replica that it is, where each was evaluated by itself; or else of the last epoch.
   */
  private TestScore score(Replicas replicas) {
    if (replicas.finalScore().isPresent()) {
      return replicas.finalScore().get();
    }
    if (!replicas.scores().isEmpty()) {
      return replicas.scores().get(0);
    }
    return evaluations.made().isEmpty()
        ? new TestScore.Accuracy(0)
        : evaluations.made().get(evaluations.made().size() - 1).score();
  }

  /** The best one is only known of epochs that are evaluated. */
  private BestModel bestModel(int epoch, String path) {
    return new BestModel(epoch, evaluations.of(epoch - 1).orElseThrow().score(), path);
  }

  /**
   * How the run is getting on.
   *
   * @param troubles which results cannot be written, and why
   * @param seconds since the run began
   */
  Status status(List<String> troubles, double seconds, long nowNanos) {
    List<Evaluation> made = evaluations.made();
    int first = Math.max(0, made.size() - Status.EVALUATIONS);
    List<Integer> leftOut = leftOut();
    return new Status(
        latest.values().stream().mapToInt(progress -> progress.epoch() + 1).max().orElse(0),
        epochs,
        math.isComplete() ? workers : 0,
        workersAsked,
        latest.values().stream().mapToLong(Progress::round).max().orElse(0),
        samples,
        seconds,
        epochsDone(),
        secondsLeft(nowNanos),
        rate.loss(),
        rate.samplesPerSecond(nowNanos),
        latest.values().stream().mapToLong(Progress::bytesSent).sum(),
        List.copyOf(made.subList(first, made.size())),
        leftOut,
        behind(nowNanos),
        notes(leftOut, nowNanos),
        troubles,
        outcome);
  }

  private List<Integer> leftOut() {
    return latest.values().stream()
        .filter(progress -> progress.leftOut() && progress.rank() < workers)
        .map(Progress::rank)
        .toList();
  }

  private List<String> notes(List<Integer> leftOut, long nowNanos) {
    Optional<String> awaited = absences.awaited();
    Optional<String> without = leftOutWorkers.note(leftOut, workers, nowNanos);
    return Stream.of(
            math.differences().stream(),
            lossFarAboveGuessing().stream(),
            // Who waits adds up nothing.
            awaited.or(() -> without).stream(),
            recoveries.notes().stream())
        .flatMap(lines -> lines)
        .toList();
  }

  /**
   * Epochs are over when all are evaluated; or, where those who are away keep them from being so,
   * when most workers have done all of theirs, and no other goes on.
   */
  private List<Status.Behind> behind(long nowNanos) {
    boolean areEvaluated = evaluations.made().size() >= epochs;
    List<Progress> left =
        latest.values().stream()
            .filter(progress -> progress.rank() < workers && !isDone(progress, areEvaluated))
            .toList();
    boolean isOver =
        areEvaluated
            || (2 * left.size() <= workers
                && left.stream().allMatch(it -> absences.standsStill(it.rank(), nowNanos)));
    long rounds = latest.values().stream().mapToLong(Progress::round).max().orElse(0);
    return left.stream()
        .filter(progress -> isOver && progress.round() < rounds)
        .map(progress -> new Status.Behind(progress.rank(), progress.round()))
        .toList();
  }

  private boolean isDone(Progress worker, boolean areEvaluated) {
    return finished.containsKey(worker.rank())
        || (!areEvaluated && evaluations.hasReported(epochs - 1, worker.rank()));
  }

  /** By samples: workers of an asynchronous exchange are in different epochs. */
  private double epochsDone() {
    long sinceLast = samples - evaluations.samples();
    double share = Math.min(1, Math.max(0, (double) sinceLast / trainSamples));
    return Math.min(epochs, evaluations.made().size() + share);
  }

  private OptionalDouble secondsLeft(long nowNanos) {
    double sinceLast = Math.max(0, samples - evaluations.samples());
    double samplesLeft = (double) (epochs - evaluations.made().size()) * trainSamples - sinceLast;
    // What those who are left out would have trained on is missed.
    long leftOut = latest.values().stream().filter(Progress::leftOut).count();
    return TimeLeft.seconds(
        evaluations.made(),
        epochs - epochsDone(),
        samplesLeft * (workers - leftOut) / workers,
        rate.steadySamplesPerSecond(nowNanos));
  }

  /** Says so of the first epoch only: one line is enough. */
  private Optional<String> lossFarAboveGuessing() {
    return evaluations.made().stream()
        .flatMap(evaluation -> LossCheck.warning(evaluation, guessingLoss).stream())
        .findFirst();
  }

  private Replicas replicas() {
    if (finished.size() != workers) {
      throw new IllegalStateException(
          finished.size() + " of " + workers + " workers said that they were done");
    }
    return new Replicas(finished().stream().filter(rank -> !rank.leftOut()).toList());
  }
}
