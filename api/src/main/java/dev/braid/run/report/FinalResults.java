package dev.braid.run.report;

import dev.braid.files.WholeFile;
import dev.braid.run.result.EarlierResults;
import dev.braid.run.result.Outcome;
import dev.braid.run.result.ResultFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Writes the results of a run: its model and the files that belong to it.
 *
 * @param history makes the history, with the end if there is one
 * @param summary makes the summary of an end
 */
record FinalResults(
    ReportConfig config,
    ResultFiles files,
    WholeFile.Content model,
    Optional<WholeFile.Content> card,
    Optional<WholeFile.Content> best,
    Function<Optional<Outcome>, WholeFile.Content> history,
    Function<Outcome, WholeFile.Content> summary) {

  /** Time for writing all results, including a model that may be large. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /**
   * Place of results that could not be written to their own place.
   *
   * @param isWritten whether they were written to another place
   * @param outcome the outcome with the paths of the files
   * @param message says what could not be written, and where the results are
   */
  record Kept(boolean isWritten, Outcome outcome, String message) {}

  /** Writes the results, and returns what could not be written, a sentence each. */
  List<String> write(Outcome outcome) throws InterruptedException {
    long beganNanos = System.nanoTime();
    // The card is written first, so that there is no model without one.
    card.ifPresent(content -> files.write(config.cardPath(), content));
    files.write(config.modelPath(), model);
    Optional<String> noModel = files.await(config.modelPath(), PATIENCE);
    if (noModel.isEmpty()) {
      noModel = files.await(config.cardPath(), Duration.ZERO);
    }
    // A history has an end only if the run has written a model.
    Optional<Outcome> end = noModel.isEmpty() ? Optional.of(outcome) : Optional.empty();
    files.write(config.historyPath(), history.apply(end));
    end.ifPresent(it -> files.write(config.summaryPath(), summary.apply(it)));
    Duration left = PATIENCE.minusNanos(System.nanoTime() - beganNanos);
    Optional<String> noHistory = files.await(config.historyPath(), left);
    left = PATIENCE.minusNanos(System.nanoTime() - beganNanos);
    if (!files.troubles(System.nanoTime()).isEmpty()) {
      // Write the best model again: it may be the file in trouble, and only wait for its next
      // attempt.
      best.ifPresent(content -> files.write(config.bestPath(), content));
    }
    Optional<String> noBest = files.await(config.bestPath(), left);
    Optional<String> noSummary = files.await(config.summaryPath(), left);
    Optional<String> noRun = files.await(config.runPath(), left);
    return Stream.of(noModel, noHistory, noBest, noSummary, noRun)
        .flatMap(Optional::stream)
        .toList();
  }

  /** Writes the results to a new folder in the machine's folder for temporary files. */
  Kept keepElsewhere(Outcome outcome, List<String> troubles) {
    String sentence = String.join("; ", troubles);
    try {
      Path folder = WholeFile.newTemporaryFolder("braid-results-");
      Path modelFile = folder.resolve(EarlierResults.MODEL);
      Path historyFile = folder.resolve(EarlierResults.HISTORY);
      Path bestFile = folder.resolve(EarlierResults.BEST);
      Outcome placed =
          outcome.at(modelFile.toString(), historyFile.toString(), bestFile.toString());
      write(folder, EarlierResults.CARD, card);
      write(folder, EarlierResults.RUN, config.runContent());
      WholeFile.write(modelFile, model);
      write(folder, EarlierResults.BEST, best);
      WholeFile.write(historyFile, history.apply(Optional.of(placed)));
      WholeFile.write(folder.resolve(EarlierResults.SUMMARY), summary.apply(placed));
      return new Kept(true, placed, sentence + "; the results are in " + folder + " instead");
    } catch (IOException e) {
      return new Kept(
          false,
          outcome,
          sentence
              + ", and could not be written to "
              + System.getProperty("java.io.tmpdir")
              + " either: "
              + WholeFile.reason(e));
    }
  }

  private static void write(Path folder, String name, Optional<WholeFile.Content> content)
      throws IOException {
    if (content.isPresent()) {
      WholeFile.write(folder.resolve(name), content.get());
    }
  }
}
