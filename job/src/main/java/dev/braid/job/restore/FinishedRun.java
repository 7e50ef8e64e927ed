package dev.braid.job.restore;

import dev.braid.job.console.Places;
import dev.braid.job.options.OutPlace;
import dev.braid.job.options.TrainOptions;
import dev.braid.run.result.EarlierResults;
import dev.braid.run.result.InvalidHistoryException;
import dev.braid.run.result.RunHistory;
import java.util.Optional;

/**
 * The run whose results are in a folder, if it had finished. It has removed its own checkpoints;
 * what is there may be of a run before it, that was interrupted and that it has gone on from.
 *
 * @param folder of its results, as the user may type it
 * @param epochs how many it had
 */
public record FinishedRun(String folder, int epochs) {

  /** The run whose results are in the folder for this one's. */
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
   * What it means to go on from a checkpoint where this run had finished.
   *
   * @param begun how many epochs were begun at the checkpoint
   * @param upTo the last epoch that is trained
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

  /** Why there is no checkpoint. */
  public String noCheckpoint() {
    return ("the last run there had finished, after %d epochs, and removed its "
            + "checkpoints; to train its model further, use %s")
        .formatted(epochs, further());
  }

  private String further() {
    return "--model " + Places.inShell(folder + "/" + EarlierResults.MODEL);
  }
}
