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
 * Which epochs have been shown, and with what figures. An epoch is evaluated without workers that
 * are cut off, and amended when they report: it is shown again where its figures are others then,
 * so that what is on the screen in the end is what the history has.
 *
 * <p>Workers at their own pace go on after an epoch, and where it is evaluated late, more has been
 * sent since than by its end: then the line says of what it is.
 */
final class ShownEpochs {

  /** By epoch, what was shown last. */
  private final Map<Integer, String> figures = new HashMap<>();

  /** Of the last epoch that was shown. */
  private Optional<WorkerMeans> worker = Optional.empty();

  private int last;
  private long mostBytes;

  /** The last one that has been shown; 0 before there is one. */
  int last() {
    return last;
  }

  /** It is shown that so much has been sent. */
  void shown(long bytes) {
    mostBytes = Math.max(mostBytes, bytes);
  }

  /**
   * Returns the lines to show now.
   *
   * @param hasRoom whether a line fits into the terminal
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

  /** In which tree the epoch was, where it was another than in the one before. */
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
    // Each record is scored when its gradient is computed: both losses are the same.
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
