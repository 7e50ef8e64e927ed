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
 * All that is known of a run: the sum of its ranks' reports.
 *
 * <p>Each report says how many reports belong together, since a job may get another number of slots
 * than it asked for, and again after a failure. Final reports from ranks of an earlier attempt do
 * not count if all ranks of a later attempt report.
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

  /** Samples of all epochs, including those that are not evaluated yet. */
  private long samples;

  private boolean refuses;

  private int version;

  /**
   * Creates the report of a run that begins.
   *
   * @param workers number of workers that were asked for
   */
  public ReportedRun(int workers) {
    this(workers, Optional.empty(), Integer.MAX_VALUE, false);
  }

  /**
   * Creates the report of a run that begins, whose model's true parameters may be known.
   *
   * @param workers number of workers that were asked for
   * @param truth true parameters, as {@link ErrorRates} takes them
   * @param mostEvaluations maximum number of evaluations that are kept, the latest ones
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

  /** Restores evaluations from before a failure, of the same or another number of workers. */
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

  /**
   * Restores the number of samples from before a failure, including those of the unfinished epoch.
   */
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

  /** Adds a worker that has begun. */
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

  /** Adds the progress of a rank. */
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
   * @return the evaluation, if it is new or has changed
   */
  public Optional<Evaluation> add(Evaluated part, double seconds) {
    if (!evaluations.awaits(part)) {
      return Optional.empty();
    }
    workersAre(part.workers());
    return evaluations.add(part, workers, this::bytesOfOthers, seconds);
  }

  /**
   * Evaluates the epochs in which only reports of workers that are away are missing, so that an
   * accuracy does not wait until one of many workers rejoins. The samples and the part of the test
   * set of such a worker are added when it rejoins.
   *
   * @return whether an epoch was evaluated
   */
  public boolean evaluateWithoutAbsent(long nowNanos, double seconds) {
    return evaluations.evaluateWithoutAbsent(
        epoch -> epoch.lacksOnly(rank -> absences.isAway(rank, speaksOf(epoch), nowNanos), workers),
        this::bytesOfOthers,
        seconds);
  }

  /**
   * Selects the ranks whose reports determine which workers are away: the servers, if there are
   * any, since workers then have links only to them; else the workers themselves.
   */
  private IntPredicate speaksOf(OpenEpoch epoch) {
    boolean areServed = latest.keySet().stream().anyMatch(rank -> rank >= workers);
    return areServed ? rank -> rank >= workers : epoch::hasReported;
  }

  /**
   * Returns the bytes sent by servers, which evaluate nothing, and by workers that have not
   * reported the epoch.
   */
  private long bytesOfOthers(OpenEpoch epoch) {
    return latest.values().stream()
        .filter(progress -> progress.rank() >= workers || !epoch.hasReported(progress.rank()))
        .mapToLong(Progress::bytesSent)
        .sum();
  }

  /** Adds the final report of a rank. */
  public void add(Finished rank) {
    workersAre(rank.ranks());
    finished.values().removeIf(old -> old.ranks() != workers);
    finished.put(rank.rank(), rank);
    absences.finished(rank.rank());
  }

  /**
   * Adds a part of a model.
   *
   * @return whether more is known of an epoch's error than before
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
   * Returns whether there is a better model than at the last call.
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

  /** Adds a part of the ledger: which samples were used when. */
  public void add(LedgerSummary summary) {
    ledger.values().removeIf(old -> old.subtasks() != summary.subtasks());
    ledger.put(summary.subtask(), summary);
  }

  /** Returns the number of workers, according to the latest reports. */
  public int workers() {
    return workers;
  }

  /** Returns the number of samples trained on, including epochs that are not evaluated yet. */
  public long samples() {
    return samples;
  }

  /** Adds the number of a published version. */
  public void published(int number) {
    version = Math.max(version, number);
  }

  /** Returns the number of the newest version that was published; 0 for none. */
  public int version() {
    return version;
  }

  /** Returns whether a rank has reported refused records since this process began. */
  public boolean refuses() {
    return refuses;
  }

  /** Returns the evaluations, with the model's error rates as far as they are known. */
  public List<Evaluation> evaluations() {
    return evaluations.made().stream().map(this::withErrorRates).toList();
  }

  private Evaluation withErrorRates(Evaluation made) {
    return errorRates
        .of(made.epoch())
        .map(rates -> made.withErrorRates(rates.relative(), rates.normalized()))
        .orElse(made);
  }

  /** Returns the error rates of the model. */
  public ErrorRates errorRates() {
    return errorRates;
  }

  /** Returns the reports of epochs that not all workers have reported. */
  public List<Evaluated> openParts() {
    return evaluations.openParts();
  }

  /** Returns the final reports, by rank. */
  public List<Finished> finished() {
    return List.copyOf(finished.values());
  }

  /** Returns the parts of the ledger so far. */
  public List<LedgerSummary> ledger() {
    return List.copyOf(ledger.values());
  }

  /** Returns the kernels with which workers compute. */
  public WorkersMath math() {
    return math;
  }

  /** Returns the recoveries from failures. */
  public Recoveries recoveries() {
    return recoveries;
  }

  /** Returns the parts of the final model so far. */
  public AssembledModel model() {
    return model;
  }

  /** Returns the best model so far and the models that may be better. */
  public EpochModels epochModels() {
    return epochModels;
  }

  // ---- for status and history ------------------------------------------------------------------

  /** Returns the latest progress of each rank, by rank. */
  public Collection<Progress> latest() {
    return Collections.unmodifiableCollection(latest.values());
  }

  /** Returns the rate of training. */
  public Rate rate() {
    return rate;
  }

  /** Returns the evaluations without error rates, in the order in which they were made. */
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

  /** Returns the evaluation of an epoch, from 0, if it is made. */
  public Optional<Evaluation> made(int epoch) {
    return evaluations.of(epoch);
  }

  /** Returns the number of samples trained on in the evaluated epochs. */
  public long samplesEvaluated() {
    return evaluations.samples();
  }

  /** Returns whether a rank has reported an epoch, from 0. */
  public boolean hasReported(int epoch, int rank) {
    return evaluations.hasReported(epoch, rank);
  }

  /** Returns whether a rank has finished. */
  public boolean isDone(int rank) {
    return finished.containsKey(rank);
  }

  /** Returns which ranks are away. */
  public Absences absences() {
    return absences;
  }
}
