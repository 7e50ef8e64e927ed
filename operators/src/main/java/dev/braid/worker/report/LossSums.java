package dev.braid.worker.report;

/**
 * Sums of samples' losses, of which some are not known, as where others have computed a gradient:
 * NaN. Those samples are taken to have the mean of the known ones.
 */
public final class LossSums {

  private LossSums() {}

  /**
   * The sum of two.
   *
   * @param samples of the first, and of the second
   */
  public static double plus(double sum, long samples, double other, long otherSamples) {
    if (otherSamples == 0) {
      return sum;
    } else if (samples == 0) {
      return other;
    } else if (Double.isNaN(other)) {
      return sum + sum / samples * otherSamples;
    }
    return Double.isNaN(sum) ? other + other / otherSamples * samples : sum + other;
  }
}
