package dev.braid.worker.report;

/**
 * Adds sums of samples' losses. A sum that is not known is NaN, for example if others have computed
 * a gradient. Its samples are counted with the mean loss of the samples whose loss is known.
 */
public final class LossSums {

  private LossSums() {}

  /**
   * Returns the sum of the losses of both groups of samples.
   *
   * @param samples number of samples in the first group
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
