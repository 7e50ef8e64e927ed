package dev.braid.run.result;

import java.util.Optional;

/**
 * The model of the epoch with the best accuracy, or of values the least loss, which is kept beside
 * the last. Epochs are compared by the samples that are held out for validation, or where there are
 * none, by the test set.
 *
 * @param epoch from 1
 * @param testAccuracy from 0 to 1; NaN where samples have values
 * @param model its path
 * @param testR2 where samples have values; else NaN
 * @param testLoss where samples have values; else NaN
 * @param validationAccuracy where it was chosen by samples that are held out; else NaN
 * @param validationR2 the same, where samples have values
 * @param validationLoss the same
 */
public record BestModel(
    int epoch,
    @IfKnown double testAccuracy,
    String model,
    @IfKnown double testR2,
    @IfKnown double testLoss,
    @IfKnown double validationAccuracy,
    @IfKnown double validationR2,
    @IfKnown double validationLoss) {

  /** A model that was chosen by the test set, with its score there. */
  public BestModel(int epoch, TestScore score, String model) {
    this(
        epoch,
        score.accuracy(),
        model,
        score.r2(),
        score.lossOfValues(),
        Double.NaN,
        Double.NaN,
        Double.NaN);
  }

  /** Returns this model, chosen by other samples, with its score on the test set. */
  BestModel tested(TestScore score) {
    return new BestModel(
        epoch,
        score.accuracy(),
        model,
        score.r2(),
        score.lossOfValues(),
        testAccuracy,
        testR2,
        testLoss);
  }

  /** How good it is on the samples by which it was chosen, if that was not the test set. */
  public Optional<TestScore> validationScore() {
    return Double.isNaN(validationAccuracy) && Double.isNaN(validationLoss)
        ? Optional.empty()
        : Optional.of(TestScore.of(validationAccuracy, validationR2, validationLoss));
  }

  /** How good it is on the test set. */
  public TestScore score() {
    return TestScore.of(testAccuracy, testR2, testLoss);
  }

  /** The same at another place. */
  BestModel at(String path) {
    return new BestModel(
        epoch,
        testAccuracy,
        path,
        testR2,
        testLoss,
        validationAccuracy,
        validationR2,
        validationLoss);
  }
}
