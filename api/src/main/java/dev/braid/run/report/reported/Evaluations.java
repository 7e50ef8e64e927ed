package dev.braid.run.report.reported;

import dev.braid.run.result.Evaluation;
import dev.braid.worker.report.Reports.Evaluated;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * Evaluations of a run's epochs, and the epochs that not all workers have reported yet.
 *
 * <p>An evaluation is made when all workers have reported, or when the reports so far are
 * sufficient. Later reports amend it.
 */
final class Evaluations {

  private final Map<Integer, OpenEpoch> open = new TreeMap<>();
  private final List<Evaluation> made = new ArrayList<>();
  private final int most;
  private Optional<LossDrift> drift;
  private long samples;

  /**
   * Creates an instance without evaluations.
   *
   * @param most maximum number of evaluations that are kept, the latest ones
   * @param drift initial statistics of a stream's window losses; empty for epochs of a data set
   */
  Evaluations(int most, Optional<LossDrift> drift) {
    this.most = most;
    this.drift = drift;
  }

  /** Returns the losses so far of a stream's windows; none for epochs of a data set. */
  Optional<LossDrift> drift() {
    return drift;
  }

  /** Continues with the losses of a stream's windows that were known before a failure. */
  void restore(LossDrift before) {
    drift = drift.map(ignored -> before);
  }

  /** Restores the evaluations from before a failure, and the parts of open epochs. */
  void restore(Iterable<Evaluation> evaluations, Iterable<Evaluated> openParts) {
    for (Evaluation evaluation : evaluations) {
      made.add(evaluation);
      samples += evaluation.samples();
    }
    for (Evaluated part : openParts) {
      open(part.epoch()).add(part);
    }
  }

  /** Prepares for another number of workers, which continue with the rest of the epochs. */
  void dealAnew() {
    // All workers reported the evaluated epochs before the checkpoint, except epochs that were
    // evaluated without workers that were away.
    open.entrySet().removeIf(it -> of(it.getKey()).isPresent() && it.getValue().isEvaluated());
    open.values().forEach(OpenEpoch::dealAnew);
  }

  private OpenEpoch open(int epoch) {
    return open.computeIfAbsent(epoch, number -> new OpenEpoch());
  }

  /**
   * Returns whether a part of an epoch may be missing here. If not, all of the epoch was added
   * before, perhaps in a section of the run that was repeated after a restore.
   */
  boolean awaits(Evaluated part) {
    return open.containsKey(part.epoch()) || of(part.epoch()).isEmpty();
  }

  /**
   * Adds a rank's part of an evaluation that is {@linkplain #awaits awaited}.
   *
   * @param bytesOfOthers returns the bytes sent by ranks that have no part in an epoch
   * @param seconds time since the run began
   * @return the evaluation, if it is new or has changed
   */
  Optional<Evaluation> add(
      Evaluated part, int workers, ToLongFunction<OpenEpoch> bytesOfOthers, double seconds) {
    OpenEpoch epoch = open(part.epoch());
    epoch.add(part);
    boolean isComplete = epoch.isComplete(workers);
    if (!isComplete && !epoch.isEvaluated()) {
      return Optional.empty();
    }
    if (isComplete) {
      open.remove(part.epoch());
    }
    return Optional.of(evaluate(part.epoch(), epoch, bytesOfOthers, seconds));
  }

  /**
   * Evaluates epochs without the workers that are away.
   *
   * @param isEnough whether the reports of an epoch are sufficient
   * @param bytesOfOthers as in {@link #add}
   * @param seconds time since the run began
   * @return whether an epoch was evaluated
   */
  boolean evaluateWithoutAbsent(
      Predicate<OpenEpoch> isEnough, ToLongFunction<OpenEpoch> bytesOfOthers, double seconds) {
    boolean isNew = false;
    for (Map.Entry<Integer, OpenEpoch> epoch : open.entrySet()) {
      if (!isMade(epoch.getKey()) && isEnough.test(epoch.getValue())) {
        evaluate(epoch.getKey(), epoch.getValue(), bytesOfOthers, seconds);
        isNew = true;
      }
    }
    return isNew;
  }

  /** Returns whether an epoch, from 0, was evaluated; the evaluation may no longer be kept. */
  private boolean isMade(int epoch) {
    boolean isOlder = made.size() == most && epoch + 1 < made.get(0).epoch();
    return isOlder || of(epoch).isPresent();
  }

  private Evaluation evaluate(
      int number, OpenEpoch epoch, ToLongFunction<OpenEpoch> bytesOfOthers, double seconds) {
    Evaluation evaluation =
        epoch.sum().plusBytes(bytesOfOthers.applyAsLong(epoch)).evaluation(number, seconds);
    int index = indexOf(number);
    if (index < 0) {
      Evaluation first = withDrift(evaluation);
      made.add(first);
      samples += first.samples();
      if (made.size() > most) {
        made.remove(0);
      }
      return first;
    }
    Evaluation before = made.get(index);
    Evaluation amended = before.withLate(evaluation);
    samples += amended.samples() - before.samples();
    made.set(index, amended);
    return amended;
  }

  private Evaluation withDrift(Evaluation window) {
    double loss = window.trainLoss();
    // A window whose records were all held out or refused has no loss.
    if (drift.isEmpty() || window.samples() == 0 || !Double.isFinite(loss)) {
      return window;
    }
    LossDrift before = drift.get();
    drift = Optional.of(before.with(loss));
    return window.withDrift(before.of(loss));
  }

  /** Returns the index of the evaluation of an epoch, from 0; negative if there is none. */
  private int indexOf(int epoch) {
    for (int i = made.size() - 1; i >= 0; i--) {
      if (made.get(i).epoch() == epoch + 1) {
        return i;
      }
    }
    return -1;
  }

  /** Returns the evaluation of an epoch, from 0, if it is made. */
  Optional<Evaluation> of(int epoch) {
    int index = indexOf(epoch);
    return index < 0 ? Optional.empty() : Optional.of(made.get(index));
  }

  /** Returns whether a rank has reported an epoch, from 0. */
  boolean hasReported(int epoch, int rank) {
    OpenEpoch there = open.get(epoch);
    return there == null ? of(epoch).isPresent() : there.hasReported(rank);
  }

  /** Returns all evaluations, in the order in which they were made. */
  List<Evaluation> made() {
    return Collections.unmodifiableList(made);
  }

  /** Returns the number of samples trained on in the evaluated epochs. */
  long samples() {
    return samples;
  }

  /** Returns the reports of epochs that not all workers have reported. */
  List<Evaluated> openParts() {
    return open.values().stream().flatMap(epoch -> epoch.parts().stream()).toList();
  }
}
