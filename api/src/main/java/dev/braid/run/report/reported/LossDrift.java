package dev.braid.run.report.reported;

/**
 * Exponentially weighted mean and variance of the losses of a stream's windows. They tell how far
 * the loss of the next window lies above those of earlier ones.
 *
 * <p>The first {@value #SETTLING} windows do not count, since their losses fall fast while the
 * model learns. The losses of the windows after them count equally until there are enough for the
 * latest one to have the weight {@value #LATEST}. A loss far outside counts as if it were {@value
 * #FURTHEST} standard deviations away. One change of the data would otherwise hide the next.
 *
 * @param windows number of windows so far, those that do not count included
 * @param mean mean of the losses; 0 before one counts
 * @param variance variance of the losses; 0 before one counts
 */
public record LossDrift(long windows, double mean, double variance) {

  /** No windows. */
  public static final LossDrift NONE = new LossDrift(0, 0, 0);

  /** Number of windows without a drift: of fewer losses, the variance would be a guess. */
  static final int FIRST_WINDOWS = 20;

  private static final int SETTLING = 10;

  private static final double LATEST = 0.1;
  private static final double FURTHEST = 3;

  /** Least standard deviation, as a share of the mean: smaller changes are not worth a look. */
  private static final double LEAST = 0.01;

  /**
   * Returns by how many standard deviations a loss lies above the mean of the windows so far.
   *
   * @return NaN while too few windows are known, or if all losses that count were 0
   */
  public double of(double loss) {
    double deviation = deviation();
    return windows < FIRST_WINDOWS || deviation == 0 ? Double.NaN : (loss - mean) / deviation;
  }

  private double deviation() {
    return Math.max(Math.sqrt(variance), LEAST * Math.abs(mean));
  }

  /** Returns the mean and the variance with the loss of one more window. */
  public LossDrift with(double loss) {
    if (windows < SETTLING) {
      return new LossDrift(windows + 1, 0, 0);
    }
    double weight = Math.max(LATEST, 1.0 / (windows + 1 - SETTLING));
    double away = loss - mean;
    if (!Double.isNaN(of(loss))) {
      double furthest = FURTHEST * deviation();
      away = Math.max(-furthest, Math.min(furthest, away));
    }
    return new LossDrift(
        windows + 1, mean + weight * away, (1 - weight) * (variance + weight * away * away));
  }
}
