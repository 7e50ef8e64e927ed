package dev.braid.job.report;

import dev.braid.ledger.LedgerSummary;
import dev.braid.worker.Reports.Evaluated;
import dev.braid.worker.Reports.Finished;
import dev.braid.worker.Reports.ModelPart;
import dev.braid.worker.Reports.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** All that is known of a run: what has been reported, and what follows from it. */
final class Books {

  private final int workers;
  private final int epochs;
  private final Rate rate = new Rate();
  private final Map<Integer, Progress> latest = new TreeMap<>();
  private final Map<Integer, Map<Integer, Evaluated>> open = new TreeMap<>();
  private final List<Evaluation> evaluations = new ArrayList<>();
  private final Map<Integer, Finished> finished = new TreeMap<>();
  private final Map<Integer, LedgerSummary> ledger = new TreeMap<>();
  private final AssembledModel model = new AssembledModel();
  private long samples;
  private Optional<Outcome> outcome = Optional.empty();

  Books(int workers, int epochs) {
    this.workers = workers;
    this.epochs = epochs;
  }

  /** Takes over what earlier books had. Parts of an epoch by other ranks than today's count too. */
  void restore(Iterable<Evaluation> lines, Iterable<Evaluated> parts) {
    for (Evaluation line : lines) {
      evaluations.add(line);
      samples += line.samples();
    }
    for (Evaluated part : parts) {
      open.computeIfAbsent(part.epoch(), epoch -> new TreeMap<>()).put(part.rank(), part);
    }
  }

  void add(Progress progress, long nowNanos) {
    latest.put(progress.rank(), progress);
    samples += progress.samples();
    rate.add(nowNanos, progress.samples(), progress.lossSum());
  }

  /**
   * Adds a rank's part of an evaluation.
   *
   * @return the evaluation, if this was the last rank
   */
  Optional<Evaluation> add(Evaluated part, double seconds) {
    Map<Integer, Evaluated> parts = open.computeIfAbsent(part.epoch(), epoch -> new TreeMap<>());
    parts.put(part.rank(), part);
    if (parts.size() < workers) {
      return Optional.empty();
    }
    open.remove(part.epoch());
    Evaluation evaluation =
        EpochSum.of(parts.values()).plusBytes(bytesOfServers()).evaluation(part.epoch(), seconds);
    evaluations.add(evaluation);
    return Optional.of(evaluation);
  }

  /** Ranks behind the workers evaluate nothing. */
  private long bytesOfServers() {
    return latest.values().stream()
        .filter(progress -> progress.rank() >= workers)
        .mapToLong(Progress::bytesSent)
        .sum();
  }

  void add(Finished rank) {
    finished.put(rank.rank(), rank);
  }

  void add(ModelPart part) {
    model.add(part);
  }

  void add(LedgerSummary summary) {
    ledger.put(summary.subtask(), summary);
  }

  List<Evaluation> evaluations() {
    return evaluations;
  }

  List<Evaluated> openParts() {
    return open.values().stream().flatMap(parts -> parts.values().stream()).toList();
  }

  List<Finished> finished() {
    return List.copyOf(finished.values());
  }

  List<LedgerSummary> ledger() {
    return List.copyOf(ledger.values());
  }

  AssembledModel model() {
    return model;
  }

  Optional<Outcome> outcome() {
    return outcome;
  }

  /**
   * Closes the books.
   *
   * @throws ReplicasDifferException if not all replicas have the same weights where they must
   * @throws IllegalStateException if a rank never said that it was done
   */
  Outcome close(ReportConfig config) {
    Replicas replicas = replicas();
    if (config.identical()) {
      replicas.checkIdentical();
    }
    LedgerVerdict verdict =
        LedgerVerdict.of(ledger.values(), config.trainSamples(), evaluations.size());
    Outcome closed =
        new Outcome(
            replicas.digest(),
            finished.size(),
            finished.values().stream().filter(Finished::leftOut).map(Finished::rank).toList(),
            replicas.identical(),
            replicas.distance(),
            replicas.accuracies(),
            replicas.accuracyVariancePp2(),
            finished.values().stream().mapToLong(Finished::rounds).max().orElse(0),
            evaluations.size(),
            evaluations.isEmpty() ? 0 : evaluations.get(evaluations.size() - 1).testAccuracy(),
            verdict.sentence(),
            verdict.exact(),
            config.modelPath(),
            config.historyPath());
    outcome = Optional.of(closed);
    return closed;
  }

  Status status() {
    int first = Math.max(0, evaluations.size() - Status.EVALUATIONS);
    return new Status(
        latest.values().stream().mapToInt(progress -> progress.epoch() + 1).max().orElse(0),
        epochs,
        latest.values().stream().mapToLong(Progress::round).max().orElse(0),
        samples,
        rate.loss(),
        rate.samplesPerSecond(),
        latest.values().stream().mapToLong(Progress::bytesSent).sum(),
        List.copyOf(evaluations.subList(first, evaluations.size())),
        latest.values().stream().filter(Progress::leftOut).map(Progress::rank).toList(),
        outcome);
  }

  private Replicas replicas() {
    if (finished.size() != workers) {
      throw new IllegalStateException(
          finished.size() + " of " + workers + " workers said that they were done");
    }
    return new Replicas(finished().stream().filter(rank -> !rank.leftOut()).toList());
  }
}
