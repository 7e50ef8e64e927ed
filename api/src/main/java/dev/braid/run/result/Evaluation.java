package dev.braid.run.result;

import com.fasterxml.jackson.annotation.JsonAlias;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Score of the model at the end of an epoch, or of a window of a stream: a line of the history. In
 * a run that holds samples out for validation, they replace the test set, and the names in the line
 * say so.
 *
 * @param epoch epoch or window, from 1
 * @param round rounds complete
 * @param trainLoss mean loss over the epoch's samples, each before its round's update
 * @param testLoss mean loss over the test set
 * @param testAccuracy accuracy from 0 to 1; NaN where samples have values
 * @param samples samples trained on in the epoch
 * @param trainSeconds time of the epoch's rounds at the slowest worker, without the evaluation
 * @param seconds time from the beginning of the run until the evaluation on the test set was
 *     complete, without the time between two jobs of the run
 * @param bytes bytes sent over all links since the run began, by each worker until it ended the
 *     epoch
 * @param worker work of a worker in the epoch
 * @param testSamples number of samples that {@code testLoss} and {@code testAccuracy} are of
 * @param testSetSamples number of samples in the test set
 * @param missedSamples training samples that were not used because a worker was excluded and the
 *     others continued without it
 * @param testR2 R², mean over outputs, where samples have values; else NaN
 * @param testMeanSquaredError mean squared error of values as the model gives them, scaled if they
 *     are, mean over outputs; NaN where samples have classes
 * @param testMeanAbsoluteError mean absolute error of these values; NaN where samples have classes
 * @param relativeErrorRate change of the model in the epoch: squared length of the change over that
 *     of the parameters before; NaN if it is not asked for or not known
 * @param normalizedErrorRate distance to the true model: squared distance over the squared length
 *     of the true parameters; NaN if they are not known
 * @param drift drift of a stream's window: number of standard deviations by which {@code trainLoss}
 *     lies above the mean of earlier windows; NaN in the first windows, and for an epoch of a data
 *     set
 */
public record Evaluation(
    int epoch,
    long round,
    double trainLoss,
    @JsonAlias("validationLoss") double testLoss,
    @JsonAlias("validationAccuracy") @IfKnown double testAccuracy,
    long samples,
    double trainSeconds,
    double seconds,
    long bytes,
    WorkerMeans worker,
    @JsonAlias("validationSamples") long testSamples,
    @JsonAlias("validationSetSamples") long testSetSamples,
    long missedSamples,
    @JsonAlias("validationR2") @IfKnown double testR2,
    @JsonAlias("validationMeanSquaredError") @IfKnown double testMeanSquaredError,
    @JsonAlias("validationMeanAbsoluteError") @IfKnown double testMeanAbsoluteError,
    @IfKnown double relativeErrorRate,
    @IfKnown double normalizedErrorRate,
    @IfKnown double drift) {

  /** Least notable drift: fewer than 1 of 1,000 windows reach it without a change of the data. */
  public static final double NOTABLE_DRIFT = 5;

  /**
   * Figures of the training samples of an evaluation.
   *
   * @param loss mean loss, each before its round's update
   * @param samples number of samples trained on
   * @param seconds time of the rounds at the slowest worker
   * @param missed number of samples that were not used because a worker was excluded
   */
  public record TrainFigures(double loss, long samples, double seconds, long missed) {}

  /**
   * Figures of the test samples of an evaluation.
   *
   * @param loss mean loss
   * @param accuracy accuracy from 0 to 1; NaN where samples have values
   * @param samples number of samples that were evaluated
   * @param all number of samples in the test set
   * @param r2 R², mean over outputs; NaN where samples have classes
   * @param meanSquaredError mean squared error; NaN where samples have classes
   * @param meanAbsoluteError mean absolute error; NaN where samples have classes
   */
  public record TestFigures(
      double loss,
      double accuracy,
      long samples,
      long all,
      double r2,
      double meanSquaredError,
      double meanAbsoluteError) {

    /** Returns the figures of samples that have classes. */
    public static TestFigures ofClasses(double loss, double accuracy, long samples, long all) {
      return new TestFigures(loss, accuracy, samples, all, Double.NaN, Double.NaN, Double.NaN);
    }
  }

  /** Returns an evaluation whose error rates and drift are not known. */
  public static Evaluation of(
      int epoch,
      long round,
      TrainFigures train,
      TestFigures test,
      double seconds,
      long bytes,
      WorkerMeans worker) {
    return new Evaluation(
        epoch,
        round,
        train.loss,
        test.loss,
        test.accuracy,
        train.samples,
        train.seconds,
        seconds,
        bytes,
        worker,
        test.samples,
        test.all,
        train.missed,
        test.r2,
        test.meanSquaredError,
        test.meanAbsoluteError,
        Double.NaN,
        Double.NaN,
        Double.NaN);
  }

  /** Returns the model's score. */
  public TestScore score() {
    return TestScore.of(testAccuracy, testR2, testLoss);
  }

  /**
   * Returns the evaluation with the best test accuracy or, where samples have values, the least
   * test loss. The first of equals is returned; empty if there are no evaluations.
   */
  public static Optional<Evaluation> best(List<Evaluation> evaluations) {
    return evaluations.stream()
        .max(
            Comparator.comparingDouble((Evaluation line) -> line.score().quality())
                .thenComparing(Evaluation::epoch, Comparator.reverseOrder()));
  }

  /** Returns the score, and the evaluated part of the test set if it is not all of it. */
  public String scoreInWords() {
    return score().inWords() + part();
  }

  /** Returns the quality, and the evaluated part of the test set if it is not all of it. */
  public String qualityInWords() {
    return score().qualityInWords() + part();
  }

  private String part() {
    return testsOnlyPart() ? String.format(Locale.ROOT, " of %,d samples", testSamples) : "";
  }

  /** Returns whether only a part of the test set was evaluated since some workers were excluded. */
  public boolean testsOnlyPart() {
    return testSamples < testSetSamples;
  }

  /**
   * Returns this evaluation with the reports of workers that were excluded before. If the whole
   * test set was evaluated without them, its figures, their time and the training time stay.
   * Otherwise the late figures are included, and the epoch has lasted until then.
   */
  public Evaluation withLate(Evaluation all) {
    boolean testsMore = all.testSamples > testSamples;
    Evaluation tested = testsMore ? all : this;
    return new Evaluation(
        epoch,
        round,
        all.trainLoss,
        tested.testLoss,
        tested.testAccuracy,
        all.samples,
        tested.trainSeconds,
        tested.seconds,
        tested.bytes,
        all.worker,
        tested.testSamples,
        testSetSamples,
        all.missedSamples,
        tested.testR2,
        tested.testMeanSquaredError,
        tested.testMeanAbsoluteError,
        relativeErrorRate,
        normalizedErrorRate,
        drift);
  }

  /** Returns a copy with what is known of the model's parameters. */
  public Evaluation withErrorRates(double relative, double normalized) {
    return with(relative, normalized, drift);
  }

  /** Returns a copy of this window with the drift of its loss. */
  public Evaluation withDrift(double known) {
    return with(relativeErrorRate, normalizedErrorRate, known);
  }

  private Evaluation with(double relative, double normalized, double knownDrift) {
    return new Evaluation(
        epoch,
        round,
        trainLoss,
        testLoss,
        testAccuracy,
        samples,
        trainSeconds,
        seconds,
        bytes,
        worker,
        testSamples,
        testSetSamples,
        missedSamples,
        testR2,
        testMeanSquaredError,
        testMeanAbsoluteError,
        relative,
        normalized,
        knownDrift);
  }

  /** Returns whether the loss is notably above that of earlier windows. */
  public boolean drifts() {
    return drift >= NOTABLE_DRIFT;
  }

  /** Returns the training loss with 4 digits, and the drift if it is notable. */
  public String lossInWords() {
    if (samples == 0) {
      return "–";
    }
    String loss = String.format(Locale.ROOT, "%.4f", trainLoss);
    return drifts() ? loss + String.format(Locale.ROOT, " (drift %.1f)", drift) : loss;
  }
}
