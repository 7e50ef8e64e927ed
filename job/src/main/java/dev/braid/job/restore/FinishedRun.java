package dev.braid.job.restore;

import dev.braid.job.console.Places;
import dev.braid.job.options.OutPlace;
import dev.braid.job.options.TrainOptions;
import dev.braid.run.result.EarlierResults;
import dev.braid.run.result.InvalidHistoryException;
import dev.braid.run.result.RunHistory;
import java.util.Optional;

/**
 * The finished run whose results are in a folder. It has removed its own checkpoints; any that are
 * left may belong to an earlier, interrupted run that it resumed.
 *
 * @param folder folder of its results, as the user may type it
 * @param epochs number of its epochs
 */
public record FinishedRun(String folder, int epochs) {

  /** Returns the finished run whose results are in this run's folder; empty if there is none. */
  public static Optional<FinishedRun> before(TrainOptions options) {
    OutPlace folder = OutPlace.of(options);
    try {
      return RunHistory.read(folder.file(EarlierResults.HISTORY))
          .outcome()
          .map(outcome -> new FinishedRun(Places.shown(folder.place()), outcome.epochs()));
    } catch (InvalidHistoryException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns a note on resuming from a checkpoint although this run had finished.
   *
   * @param begun number of epochs begun at the checkpoint
   * @param upTo last epoch to train
   */
  public String goingOn(int begun, int upTo) {
    String finished = "the last run in %s had finished, after %d epochs".formatted(folder, epochs);
    return upTo > epochs
        ? finished
            + (": the checkpoint is of epoch %d, and training continues from there to epoch "
                    + "%d, %d more")
                .formatted(Math.max(1, begun), upTo, upTo - epochs)
        : finished
            + ": epoch %d is trained already; to train its model further, use %s"
                .formatted(upTo, further());
  }

  /** Returns the reason why there is no checkpoint. */
  public String noCheckpoint() {
    return ("the last run there had finished, after %d epochs, and removed its "
            + "checkpoints; to train its model further, use %s")
        .formatted(epochs, further());
  }

  private String further() {
    return "--model " + Places.inShell(folder + "/" + EarlierResults.MODEL);
  }
}
