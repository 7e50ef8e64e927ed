package dev.braid.job.result;

/**
 * The model of the epoch with the best test accuracy, or of values the least test loss, which is
 * kept beside the last.
 *
 * @param epoch from 1
 * @param testAccuracy from 0 to 1; NaN where samples have values
 * @param model its path
 * @param testR2 where samples have values; else NaN
 * @param testLoss where samples have values; else NaN
 */
public record BestModel(
    int epoch,
    @IfKnown double testAccuracy,
    String model,
    @IfKnown double testR2,
    @IfKnown double testLoss) {

  /** A model with its score. */
  public BestModel(int epoch, TestScore score, String model) {
    this(epoch, score.accuracy(), model, score.r2(), score.lossOfValues());
  }

  /** How good it is. */
  public TestScore score() {
    return TestScore.of(testAccuracy, testR2, testLoss);
  }

  /** The same at another place. */
  BestModel at(String path) {
    return new BestModel(epoch, score(), path);
  }
}
