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
 * The evaluations of a run's epochs, and the epochs that not all workers have reported yet.
 *
 * <p>An evaluation is made when all have reported, or when those that have will do; then it is
 * amended by what the others say later.
 */
final class Evaluations {

  private final Map<Integer, OpenEpoch> open = new TreeMap<>();
  private final List<Evaluation> made = new ArrayList<>();
  private final int most;
  private Optional<LossDrift> drift;
  private long samples;

  /**
   * None yet.
   *
   * @param most so many are kept, the latest ones
   * @param drift where the losses of a stream's windows begin; none for epochs of a data set
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

  /** Takes over those of before a failure. */
  void restore(Iterable<Evaluation> evaluations, Iterable<Evaluated> openParts) {
    for (Evaluation evaluation : evaluations) {
      made.add(evaluation);
      samples += evaluation.samples();
    }
    for (Evaluated part : openParts) {
      open(part.epoch()).add(part);
    }
  }

  /** Another number of workers goes on with what is left of the epochs. */
  void dealAnew() {
    // Those that are evaluated have been reported by all, before the checkpoint; but for those
    // that are so without workers who were away.
    open.entrySet().removeIf(it -> of(it.getKey()).isPresent() && it.getValue().isEvaluated());
    open.values().forEach(OpenEpoch::dealAnew);
  }

  private OpenEpoch open(int epoch) {
    return open.computeIfAbsent(epoch, number -> new OpenEpoch());
  }

  /**
   * Whether a part of an epoch may be missing here. If not, all of the epoch was added before,
   * perhaps in a part of the run that was then done again.
   */
  boolean awaits(Evaluated part) {
    return open.containsKey(part.epoch()) || of(part.epoch()).isEmpty();
  }

  /**
   * Adds a rank's part of an evaluation that is {@linkplain #awaits awaited}.
   *
   * @param bytesOfOthers what was sent by ranks that have no part in an epoch
   * @param seconds since the run began
   * @return the evaluation, if it is new or another than before
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
   * Evaluates epochs without those who are away.
   *
   * @param isEnough whether what has been reported of an epoch will do
   * @param bytesOfOthers as in {@link #add}
   * @param seconds since the run began
   * @return whether there are such epochs
   */
  boolean evaluateWithoutAbsent(
      Predicate<OpenEpoch> isEnough, ToLongFunction<OpenEpoch> bytesOfOthers, double seconds) {
    int before = made.size();
    open.forEach(
        (number, epoch) -> {
          if (of(number).isEmpty() && isEnough.test(epoch)) {
            evaluate(number, epoch, bytesOfOthers, seconds);
          }
        });
    return made.size() > before;
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

  /** Where the evaluation of an epoch, from 0, is; negative if it is not there. */
  private int indexOf(int epoch) {
    for (int i = made.size() - 1; i >= 0; i--) {
      if (made.get(i).epoch() == epoch + 1) {
        return i;
      }
    }
    return -1;
  }

  /** That of an epoch, from 0, if it is made. */
  Optional<Evaluation> of(int epoch) {
    int index = indexOf(epoch);
    return index < 0 ? Optional.empty() : Optional.of(made.get(index));
  }

  /** Whether a rank has reported an epoch, from 0. */
  boolean hasReported(int epoch, int rank) {
    OpenEpoch there = open.get(epoch);
    return there == null ? of(epoch).isPresent() : there.hasReported(rank);
  }

  /** All that are made, in the order in which they were. */
  List<Evaluation> made() {
    return Collections.unmodifiableList(made);
  }

  /** How many samples were trained on in the epochs that are evaluated. */
  long samples() {
    return samples;
  }

  /** What has been reported of epochs that not all have reported. */
  List<Evaluated> openParts() {
    return open.values().stream().flatMap(epoch -> epoch.parts().stream()).toList();
  }
}
