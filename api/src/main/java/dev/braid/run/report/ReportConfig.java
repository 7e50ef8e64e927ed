package dev.braid.run.report;

import dev.braid.files.WholeFile;
import dev.braid.run.result.EarlierResults;
import dev.braid.run.result.EvaluatedSet;
import dev.braid.run.result.Status;
import dev.braid.worker.report.ErrorRates;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/**
 * What the report is told of a run.
 *
 * @param options the run's options, a JSON object, for the history
 * @param runFile the text of a file that repeats the run; empty if no file can
 * @param out the folder for the history, the model and what it expects: a path or a URI that the
 *     machine where the report runs can write to
 * @param card what the model expects, as JSON, for a file beside it, but for running statistics,
 *     which are among the weights; empty if a program knows it
 * @param trainSamples samples that each epoch uses
 * @param checksums of the data
 * @param epochs epochs at most
 * @param guessingLoss the mean loss of a model that gives all classes the same probability; NaN
 *     where the model's loss is none of probabilities
 * @param earlierThanMillis when the job was submitted: results from before are another run's, and
 *     are put aside; 0 where that has been done
 * @param chaosLogs whether the run itself writes logs of chaos events to the same folder
 * @param identical whether all replicas must end with the same weights, bit for bit
 * @param sameBits whether all kernels that have computed for the run must give the same bits
 * @param exchange which the run has
 * @param truth the true parameters of a regression, of length 0 where they are not known; none at
 *     all of a run whose error rates nobody wants to know
 * @param test the test set, where epochs are evaluated on other samples; else none
 * @param evaluated samples that the model is evaluated on after each epoch, or in each window of a
 *     stream
 * @param publishing where versions of the model are published, if they are
 */
public record ReportConfig(
    String options,
    String runFile,
    String out,
    String card,
    long trainSamples,
    String checksums,
    int epochs,
    double guessingLoss,
    long earlierThanMillis,
    boolean chaosLogs,
    boolean identical,
    boolean sameBits,
    ModelFormat format,
    RunExchange exchange,
    float[][] truth,
    List<ModelTest> test,
    EvaluatedSet evaluated,
    List<Publishing> publishing)
    implements Serializable {

  /** So many windows of a run without end are in its history. */
  private static final int MOST_WINDOWS = 1000;

  /** Returns the number of evaluations that are kept. */
  int mostEvaluations() {
    return epochs == Status.ENDLESS ? MOST_WINDOWS : Integer.MAX_VALUE;
  }

  /** Returns the number of samples that each epoch uses; none of a stream, which has no epochs. */
  OptionalLong samplesOfEpochs() {
    return evaluated.isOfStream() ? OptionalLong.empty() : OptionalLong.of(trainSamples);
  }

  /** The true parameters, as {@link ErrorRates} take them. */
  Optional<float[]> trueParameters() {
    return Arrays.stream(truth).findFirst();
  }

  /**
   * Checks that no more epochs are done than there are to be. The source will say so, too; but
   * nobody is to read before of an epoch 9 of 3.
   */
  void checkDone(int done) {
    if (done > epochs) {
      // It would be the same again after a restart.
      throw new SuppressRestartsException(
          new IllegalArgumentException(
              "--epochs %d: the checkpoint has done %d already: %d or more is needed"
                  .formatted(epochs, done, done)));
    }
  }

  /** What an earlier run may have left there, and this one has not begun to write. */
  List<String> earlierResults() {
    return EarlierResults.foundByJob(chaosLogs);
  }

  /** The history's place. */
  String historyPath() {
    return inOut(EarlierResults.HISTORY);
  }

  /** The model's place. */
  String modelPath() {
    return inOut(EarlierResults.MODEL);
  }

  /** Where it says what the model expects. */
  String cardPath() {
    return inOut(EarlierResults.CARD);
  }

  /** Returns what is written there of a model with these weights. */
  Optional<WholeFile.Content> cardContent(float[] weights) {
    return content(format.card(card, weights));
  }

  /** Returns the place of the run file. */
  String runPath() {
    return inOut(EarlierResults.RUN);
  }

  /** Returns the content of the run file. */
  Optional<WholeFile.Content> runContent() {
    return content(runFile);
  }

  private static Optional<WholeFile.Content> content(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return text.isEmpty() ? Optional.empty() : Optional.of(out -> out.write(bytes));
  }

  /** Where it says how the run ended. */
  String summaryPath() {
    return inOut(EarlierResults.SUMMARY);
  }

  /** The best model's place. */
  String bestPath() {
    return inOut(EarlierResults.BEST);
  }

  private String inOut(String name) {
    return EarlierResults.in(out, name);
  }
}
