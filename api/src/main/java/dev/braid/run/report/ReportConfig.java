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
 * Configuration of a run's report.
 *
 * @param exchange exchange of the run
 * @param publishing where versions of the model are published; empty if they are not
 */
public record ReportConfig(
    Texts texts,
    Folder folder,
    Samples samples,
    Reference reference,
    Sameness sameness,
    ModelFormat format,
    RunExchange exchange,
    List<Publishing> publishing)
    implements Serializable {

  /**
   * Texts that describe the run.
   *
   * @param options the run's options as a JSON object, for the history
   * @param runFile text of a file that repeats the run; empty if no file can
   * @param card card of the model as JSON, without running statistics, which are among the weights;
   *     empty if only the program knows what the model expects
   */
  public record Texts(String options, String runFile, String card) implements Serializable {}

  /**
   * The folder of the results.
   *
   * @param out folder for the history, the model and its card: a path or a URI that the machine
   *     where the report runs can write to
   * @param earlierThanMillis time when the job was submitted, in ms since 1970: older results are
   *     of another run and are moved; 0 if that has been done
   * @param chaosLogs whether the run itself writes logs of chaos events to the same folder
   */
  public record Folder(String out, long earlierThanMillis, boolean chaosLogs)
      implements Serializable {}

  /**
   * The samples that the run uses.
   *
   * @param train number of samples that each epoch uses
   * @param checksums checksums of the data
   * @param epochs maximum number of epochs
   * @param test the test set, if epochs are evaluated on other samples; else empty
   * @param evaluated samples that the model is evaluated on after each epoch, or in each window of
   *     a stream
   */
  public record Samples(
      long train, String checksums, int epochs, List<ModelTest> test, EvaluatedSet evaluated)
      implements Serializable {}

  /**
   * What the model is compared with.
   *
   * @param guessingLoss mean loss of a model that gives all classes the same probability; NaN if
   *     the model's loss is not of probabilities
   * @param truth true parameters of a regression, of length 0 if they are not known; without an
   *     element if error rates are not asked for
   */
  public record Reference(double guessingLoss, float[][] truth) implements Serializable {}

  /**
   * Conditions on the weights.
   *
   * @param replicas whether all replicas must end with the same weights, bit for bit
   * @param kernels whether all kernels that have computed for the run must give the same bits
   */
  public record Sameness(boolean replicas, boolean kernels) implements Serializable {}

  /** Maximum number of windows in the history of a run without end. */
  private static final int MOST_WINDOWS = 1000;

  /** Returns the number of evaluations that are kept. */
  int mostEvaluations() {
    return samples.epochs() == Status.ENDLESS ? MOST_WINDOWS : Integer.MAX_VALUE;
  }

  /**
   * Returns the number of samples that each epoch uses; empty for a stream, which has no epochs.
   */
  OptionalLong samplesOfEpochs() {
    return samples.evaluated().isOfStream()
        ? OptionalLong.empty()
        : OptionalLong.of(samples.train());
  }

  /** Returns the true parameters, in the form that {@link ErrorRates} takes. */
  Optional<float[]> trueParameters() {
    return Arrays.stream(reference.truth()).findFirst();
  }

  /**
   * Fails if the checkpoint has completed more epochs than the run is to have. The source will
   * fail, too, but without this check a status such as epoch 9 of 3 could be shown before.
   */
  void checkDone(int done) {
    if (done > samples.epochs()) {
      // A restart would fail in the same way.
      throw new SuppressRestartsException(
          new IllegalArgumentException(
              "`epochs` %d: the checkpoint has done %d already: %d or more is needed"
                  .formatted(samples.epochs(), done, done)));
    }
  }

  /** Returns the files of an earlier run that may be in the folder before this run writes. */
  List<String> earlierResults() {
    return EarlierResults.foundByJob(folder.chaosLogs());
  }

  /** Returns the path of the history. */
  String historyPath() {
    return inOut(EarlierResults.HISTORY);
  }

  /** Returns the path of the model. */
  String modelPath() {
    return inOut(EarlierResults.MODEL);
  }

  /** Returns the path of the model's card. */
  String cardPath() {
    return inOut(EarlierResults.CARD);
  }

  /** Returns the content of the card of a model with these weights; empty if there is no card. */
  Optional<WholeFile.Content> cardContent(float[] weights) {
    return content(format.card(texts.card(), weights));
  }

  /** Returns the path of the run file. */
  String runPath() {
    return inOut(EarlierResults.RUN);
  }

  /** Returns the content of the run file; empty if there is none. */
  Optional<WholeFile.Content> runContent() {
    return content(texts.runFile());
  }

  private static Optional<WholeFile.Content> content(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return text.isEmpty() ? Optional.empty() : Optional.of(out -> out.write(bytes));
  }

  /** Returns the path of the summary. */
  String summaryPath() {
    return inOut(EarlierResults.SUMMARY);
  }

  /** Returns the path of the best model. */
  String bestPath() {
    return inOut(EarlierResults.BEST);
  }

  private String inOut(String name) {
    return EarlierResults.in(folder.out(), name);
  }
}
