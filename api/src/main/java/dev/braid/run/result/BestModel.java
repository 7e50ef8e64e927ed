package dev.braid.run.result;

import java.util.Optional;

/**
 * The model of the best epoch: the one with the highest accuracy or, where samples have values, the
 * least loss. It is kept next to the last model. Epochs are compared on the samples that are held
 * out for validation or, if there are none, on the test set.
 *
 * @param epoch epoch, from 1
 * @param testAccuracy accuracy on the test set, from 0 to 1; NaN where samples have values
 * @param model path of the model
 * @param testR2 R² on the test set where samples have values; else NaN
 * @param testLoss loss on the test set where samples have values; else NaN
 * @param validationAccuracy accuracy on the held-out samples, if they chose the model; else NaN
 * @param validationR2 R² on the held-out samples, if they chose the model and samples have values;
 *     else NaN
 * @param validationLoss loss on the held-out samples, if they chose the model and samples have
 *     values; else NaN
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

  /** Creates a model that was chosen by its score on the test set. */
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

  /** Returns this model, which was chosen by other samples, with its score on the test set. */
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

  /** Returns the score on the held-out samples, if they chose this model. */
  public Optional<TestScore> validationScore() {
    return Double.isNaN(validationAccuracy) && Double.isNaN(validationLoss)
        ? Optional.empty()
        : Optional.of(TestScore.of(validationAccuracy, validationR2, validationLoss));
  }

  /** Returns the score on the test set. */
  public TestScore score() {
    return TestScore.of(testAccuracy, testR2, testLoss);
  }

  /** Returns a copy with another path. */
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
