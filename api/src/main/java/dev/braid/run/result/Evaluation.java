package dev.braid.run.result;

import com.fasterxml.jackson.annotation.JsonAlias;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How good the model was at the end of an epoch: a line of the history. In a run that holds samples
 * out for validation, those take the place of the test set, and the line's names say so.
 *
 * @param epoch from 1
 * @param round rounds complete
 * @param trainLoss mean over the epoch's samples, each before its round's update
 * @param testLoss mean over the test set
 * @param testAccuracy from 0 to 1; NaN where samples have values
 * @param samples samples trained on in the epoch
 * @param trainSeconds that the epoch's rounds took at the slowest worker, without the evaluation
 * @param seconds since the run began, without the time between two jobs of it, when all that is
 *     said of the test set was known
 * @param bytes sent over all links since the run began, by each worker until it ended the epoch
 * @param worker what a worker did in the epoch
 * @param testSamples how many samples {@code testLoss} and {@code testAccuracy} are of
 * @param testSetSamples how many there are in the test set
 * @param missedSamples training samples that were not used, as a worker was cut off and others went
 *     on without it
 * @param testR2 the mean over outputs, where samples have values; else NaN
 * @param testMeanSquaredError the same, of values as the model gives them: scaled, where they are
 * @param testMeanAbsoluteError the same
 * @param relativeErrorRate by how much the model has changed in the epoch: the squared length of
 *     the change over that of the parameters before; NaN where that is not asked for, or not known
 * @param normalizedErrorRate how far it is from the true one: the squared distance over the squared
 *     length of the true parameters; NaN where these are not known
 * @param drift of a window of a stream: by how many standard deviations {@code trainLoss} lies
 *     above the mean of earlier windows; NaN in the first windows, and for an epoch of a data set
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

  /** Least drift that is notable: fewer than 1 of 1,000 windows reach it without a change. */
  public static final double NOTABLE_DRIFT = 5;

  /** Whose parameters nobody has looked at. */
  public Evaluation(
      int epoch,
      long round,
      double trainLoss,
      double testLoss,
      double testAccuracy,
      long samples,
      double trainSeconds,
      double seconds,
      long bytes,
      WorkerMeans worker,
      long testSamples,
      long testSetSamples,
      long missedSamples,
      double testR2,
      double testMeanSquaredError,
      double testMeanAbsoluteError) {
    this(
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
        Double.NaN,
        Double.NaN,
        Double.NaN);
  }

  /** Of samples that have classes. */
  public Evaluation(
      int epoch,
      long round,
      double trainLoss,
      double testLoss,
      double testAccuracy,
      long samples,
      double trainSeconds,
      double seconds,
      long bytes,
      WorkerMeans worker,
      long testSamples,
      long testSetSamples,
      long missedSamples) {
    this(
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
        Double.NaN,
        Double.NaN,
        Double.NaN);
  }

  /** How good the model was. */
  public TestScore score() {
    return TestScore.of(testAccuracy, testR2, testLoss);
  }

  /**
   * The one with the best test accuracy, or of values the least test loss; of equals the first,
   * none where there are none.
   */
  public static Optional<Evaluation> best(List<Evaluation> evaluations) {
    return evaluations.stream()
        .max(
            Comparator.comparingDouble((Evaluation line) -> line.score().quality())
                .thenComparing(Evaluation::epoch, Comparator.reverseOrder()));
  }

  /** The score, and of what part of the test set if it is not all. */
  public String scoreInWords() {
    return score().inWords() + part();
  }

  /** What models are compared by, and of what part of the test set if it is not all. */
  public String qualityInWords() {
    return score().qualityInWords() + part();
  }

  private String part() {
    return testsOnlyPart() ? String.format(Locale.ROOT, " of %,d samples", testSamples) : "";
  }

  /** Whether only a part of the test set was evaluated, as some workers were cut off. */
  public boolean testsOnlyPart() {
    return testSamples < testSetSamples;
  }

  /**
   * The same with what workers have reported that were cut off. Where the whole test set was
   * evaluated without them, its figures stay, and when and how long after they were known; else
   * theirs are added to them, and the epoch has taken until then.
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

  /** The same with what is known of its parameters. */
  public Evaluation withErrorRates(double relative, double normalized) {
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
        drift);
  }

  /** Returns the same window with what its loss is next to earlier ones. */
  public Evaluation withDrift(double known) {
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
        relativeErrorRate,
        normalizedErrorRate,
        known);
  }

  /** Returns whether the loss is so far above that of earlier windows that people should look. */
  public boolean drifts() {
    return drift >= NOTABLE_DRIFT;
  }

  /** Returns the training loss with 4 digits, and the drift if it is notable. */
  public String lossInWords() {
    String loss = String.format(Locale.ROOT, "%.4f", trainLoss);
    return drifts() ? loss + String.format(Locale.ROOT, " (drift %.1f)", drift) : loss;
  }
}
