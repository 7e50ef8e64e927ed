package dev.braid.job.train;

import dev.braid.run.result.EvaluatedSet;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.Status;
import dev.braid.run.result.WorkerMeans;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Record of the epochs that have been shown, with their figures. An epoch is first evaluated
 * without unreachable workers, and amended when they report. It is then shown again if its figures
 * differ, so that the final display agrees with the history.
 *
 * <p>In an asynchronous exchange, workers continue after an epoch. If the epoch is evaluated late,
 * more bytes have been sent by then than by its end, and the line says so.
 */
final class ShownEpochs {

  /** Last figures shown, by epoch. */
  private final Map<Integer, String> figures = new HashMap<>();

  /** Figures of workers in the last epoch shown. */
  private Optional<WorkerMeans> worker = Optional.empty();

  private int last;
  private long mostBytes;

  /** Returns the last epoch shown; 0 if there is none. */
  int last() {
    return last;
  }

  /** Notes that a number of exchanged bytes has been shown. */
  void shown(long bytes) {
    mostBytes = Math.max(mostBytes, bytes);
  }

  /**
   * Returns the lines to show now.
   *
   * @param hasRoom whether a line fits the terminal
   */
  List<String> take(Status status, Predicate<String> hasRoom) {
    List<String> lines = new ArrayList<>();
    for (Evaluation evaluation : status.evaluations()) {
      boolean isNew = evaluation.epoch() > last;
      String shown = figures(evaluation, status.evaluated());
      if (isNew || isAnother(evaluation.epoch(), shown)) {
        if (isNew) {
          lines.addAll(plan(evaluation, status.unit()));
        }
        last = Math.max(last, evaluation.epoch());
        figures.put(evaluation.epoch(), shown);
        String amended = isNew ? "" : ", amended";
        String line =
            ProgressView.line(evaluation, status)
                + (evaluation.bytes() < mostBytes ? " by its end" : "")
                + amended;
        lines.add(hasRoom.test(line) ? line : ProgressView.shortLine(evaluation, status) + amended);
        shown(evaluation.bytes());
      }
    }
    return lines;
  }

  /** Returns a line with the tree of an epoch, if it differs from that of the epoch before. */
  private List<String> plan(Evaluation evaluation, String unit) {
    WorkerMeans now = evaluation.worker();
    boolean isAnother = worker.isPresent() && now.hasAnotherTreeThan(worker.get());
    worker = Optional.of(now);
    return isAnother
        ? now.treeInWords().map(words -> unit + " " + evaluation.epoch() + "  " + words).stream()
            .toList()
        : List.of();
  }

  private boolean isAnother(int epoch, String shown) {
    return figures.containsKey(epoch) && !figures.get(epoch).equals(shown);
  }

  static String figures(Evaluation evaluation, EvaluatedSet set) {
    if (evaluation.testSamples() == 0) {
      return "loss " + evaluation.lossInWords();
    }
    // Each record is scored when its gradient is computed, so both losses are equal.
    String loss =
        set == EvaluatedSet.PROGRESSIVE
            ? ""
            : String.format(Locale.ROOT, "  %s loss %.4f", set.word(), evaluation.testLoss());
    return "loss %s%s  %s %s %s"
        .formatted(
            evaluation.lossInWords(),
            loss,
            set.word(),
            evaluation.score().title(),
            evaluation.scoreInWords());
  }
}
