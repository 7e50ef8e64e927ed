package dev.braid.run.report.reported;

import dev.braid.ledger.LedgerSummary;
import dev.braid.run.pace.Rate;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.Recoveries;
import dev.braid.run.result.WorkersMath;
import dev.braid.worker.report.ErrorRates;
import dev.braid.worker.report.Reports.Began;
import dev.braid.worker.report.Reports.Evaluated;
import dev.braid.worker.report.Reports.Finished;
import dev.braid.worker.report.Reports.ModelPart;
import dev.braid.worker.report.Reports.Progress;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/**
 * All that is known of a run: what its ranks have reported, added up.
 *
 * <p>How many reports belong together, they say themselves: a job may get more or fewer slots than
 * it asked for, and others after a failure. What some ranks of an earlier attempt have said at
 * their end does not count beside what all of a later one say.
 */
public final class ReportedRun {

  private int workers;
  private final Rate rate = new Rate();
  private final Map<Integer, Progress> latest = new TreeMap<>();
  private final Evaluations evaluations;
  private final Map<Integer, Finished> finished = new TreeMap<>();
  private final Map<Integer, LedgerSummary> ledger = new TreeMap<>();
  private final AssembledModel model = new AssembledModel();
  private final EpochModels epochModels;
  private final ErrorRates errorRates;
  private final WorkersMath math = new WorkersMath();
  private final Absences absences = new Absences();
  private final Recoveries recoveries = new Recoveries();
  private final Set<String> data = new LinkedHashSet<>();

  /** Of all epochs, also of what is not evaluated yet. */
  private long samples;

  private boolean refuses;

  private int version;

  /**
   * That of a run that begins.
   *
   * @param workers how many were asked for
   */
  public ReportedRun(int workers) {
    this(workers, Optional.empty(), Integer.MAX_VALUE, false);
  }

  /**
   * The same, of a model whose true parameters may be known.
   *
   * @param truth as {@link ErrorRates} take it
   * @param mostEvaluations so many are kept, the latest ones
   * @param hasWindows whether evaluations are of windows of a stream, whose losses may drift
   */
  public ReportedRun(
      int workers, Optional<float[]> truth, int mostEvaluations, boolean hasWindows) {
    this.workers = workers;
    this.evaluations =
        new Evaluations(
            mostEvaluations, hasWindows ? Optional.of(LossDrift.NONE) : Optional.empty());
    this.epochModels = new EpochModels(!hasWindows);
    this.errorRates = new ErrorRates(truth);
  }

  /** Takes over what was known before a failure, of as many workers or of others. */
  public void restore(Iterable<Evaluation> made, Iterable<Evaluated> parts) {
    evaluations.restore(made, parts);
    samples = evaluations.samples();
    for (Evaluated part : parts) {
      workers = part.isOfEarlierWorkers() ? workers : part.workers();
    }
  }

  /** Continues with the losses of windows that were known before a failure. */
  public void restore(LossDrift drift) {
    evaluations.restore(drift);
  }

  /** Returns the losses so far of a stream's windows; none for epochs of a data set. */
  public Optional<LossDrift> drift() {
    return evaluations.drift();
  }

  /** How many samples were counted before a failure, with those of the epoch that was under way. */
  public void restoreSamples(long counted) {
    samples = counted;
  }

  /** Adds data that the run trains with, by its checksums. */
  public void addData(String checksums) {
    data.add(checksums);
  }

  /** Returns the checksums of all data that the run has trained with, in the order of their use. */
  public List<String> data() {
    return List.copyOf(data);
  }

  /** Adds what a worker says of itself when it begins. */
  public void add(Began worker) {
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

  /** Adds how a rank is getting on. */
  public void add(Progress progress, long nowNanos) {
    latest.put(progress.rank(), progress);
    recoveries.add(Arrays.asList(progress.recoveries()));
    absences.add(progress, nowNanos);
    samples += progress.samples();
    refuses |= progress.refused() > 0;
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
  public Optional<Evaluation> add(Evaluated part, double seconds) {
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
  public boolean evaluateWithoutAbsent(long nowNanos, double seconds) {
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

  /** Adds what a rank ended with. */
  public void add(Finished rank) {
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
  public boolean add(ModelPart part) {
    if (part.epoch() == ModelPart.FINAL) {
      model.add(part);
      return false;
    }
    epochModels.add(part);
    return errorRates.add(part);
  }

  /**
   * Returns whether there is a better model than when this was asked last.
   *
   * @param versions takes models that are to be published
   */
  public boolean hasNewBest(Optional<PendingVersions> versions) {
    return epochModels.compare(
        evaluations.made(),
        (evaluation, model) ->
            versions.ifPresent(
                it -> it.offer(evaluation, model::weights, System.currentTimeMillis())));
  }

  /** Adds which samples were used when, of a part of the ledger. */
  public void add(LedgerSummary summary) {
    ledger.values().removeIf(old -> old.subtasks() != summary.subtasks());
    ledger.put(summary.subtask(), summary);
  }

  /** How many workers there are, as the latest reports have it. */
  public int workers() {
    return workers;
  }

  /** How many samples were trained on, also in epochs that are not evaluated yet. */
  public long samples() {
    return samples;
  }

  /** A version of the model is published. */
  public void published(int number) {
    version = Math.max(version, number);
  }

  /** Returns the number of the newest version that was published; 0 for none. */
  public int version() {
    return version;
  }

  /** Whether a rank has told of records that are no samples, since this process began. */
  public boolean refuses() {
    return refuses;
  }

  /** The evaluations that are made, with the model's error rates as far as they are known. */
  public List<Evaluation> evaluations() {
    return evaluations.made().stream().map(this::withErrorRates).toList();
  }

  private Evaluation withErrorRates(Evaluation made) {
    return errorRates
        .of(made.epoch())
        .map(rates -> made.withErrorRates(rates.relative(), rates.normalized()))
        .orElse(made);
  }

  /** How far the model has come. */
  public ErrorRates errorRates() {
    return errorRates;
  }

  /** What has been reported of epochs that not all have reported. */
  public List<Evaluated> openParts() {
    return evaluations.openParts();
  }

  /** What ranks ended with that are done, by rank. */
  public List<Finished> finished() {
    return List.copyOf(finished.values());
  }

  /** Which samples were used when, as far as the ledger has said. */
  public List<LedgerSummary> ledger() {
    return List.copyOf(ledger.values());
  }

  /** With which kernels workers compute. */
  public WorkersMath math() {
    return math;
  }

  /** How it has come through failures. */
  public Recoveries recoveries() {
    return recoveries;
  }

  /** The final model, as far as it has come. */
  public AssembledModel model() {
    return model;
  }

  /** The best one so far, and those that may be. */
  public EpochModels epochModels() {
    return epochModels;
  }

  // ---- for what is shown of it -----------------------------------------------------------------

  /** What each rank has said last of how it is getting on, by rank. */
  public Collection<Progress> latest() {
    return Collections.unmodifiableCollection(latest.values());
  }

  /** How fast it goes. */
  public Rate rate() {
    return rate;
  }

  /** The same without error rates, in the order in which they were made. */
  public List<Evaluation> made() {
    return evaluations.made();
  }

  /** Returns the number of the last epoch that is evaluated, from 1; 0 if none is. */
  public int lastMade() {
    List<Evaluation> made = evaluations.made();
    return made.isEmpty() ? 0 : made.get(made.size() - 1).epoch();
  }

  /** Returns the drift of the last window that is evaluated; NaN if it has none. */
  public double lastDrift() {
    List<Evaluation> made = evaluations.made();
    return made.isEmpty() ? Double.NaN : made.get(made.size() - 1).drift();
  }

  /** That of an epoch, from 0, if it is made. */
  public Optional<Evaluation> made(int epoch) {
    return evaluations.of(epoch);
  }

  /** How many samples were trained on in the epochs that are evaluated. */
  public long samplesEvaluated() {
    return evaluations.samples();
  }

  /** Whether a rank has reported an epoch, from 0. */
  public boolean hasReported(int epoch, int rank) {
    return evaluations.hasReported(epoch, rank);
  }

  /** Whether a rank has said that it is done. */
  public boolean isDone(int rank) {
    return finished.containsKey(rank);
  }

  /** Which ranks are away. */
  public Absences absences() {
    return absences;
  }
}
