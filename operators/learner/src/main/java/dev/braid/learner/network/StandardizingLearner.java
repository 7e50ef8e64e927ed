package dev.braid.learner.network;

import dev.braid.learner.Batch;
import dev.braid.learner.Features;
import dev.braid.learner.Learner;
import dev.braid.learner.math.MathKernels;
import java.util.Arrays;

/**
 * Standardizes features by running means and variances, which are {@linkplain RunningScales
 * parameters}, before it passes them to another learner.
 *
 * <p>The statistics in the weights are those of previous rounds. The samples of a batch therefore
 * do not affect each other, and a batch may have one sample. A feature whose deviation is 0 or
 * still unknown, as in the first two rounds, becomes 0.
 *
 * <p>The "gradient" of the statistics is the change to subtract from them, times the number of
 * samples. Except in the first two rounds, it is a sum of the samples' contributions. The mean over
 * the samples of all workers is therefore the change of a round, however the samples are divided
 * among workers. The first round sets the shift. Round n after it changes mean and variance by 2 /
 * (n + 1) of the difference, so that a round's weight is proportional to its number. Later rounds
 * change them by {@link #LEAST_SHARE}, which follows scales that drift. With equal weights, the
 * first rounds would have a lasting effect: ranks that have not received each other's values yet
 * add up to a wrong shift.
 *
 * <p>In a gradient, a value that is more than {@link #MOST_DEVIATIONS} deviations from the mean is
 * limited to that distance. Otherwise one outlier could ruin the weights and the statistics. A
 * variance that has become too small still grows tenfold in about 25 rounds. While the deviation is
 * unknown, medians of the worker's own samples replace it: the median of the values is the shift,
 * and a value's distance from it is limited to {@link #MOST_MEDIANS} times the median distance.
 * Only the first change of a feature that was constant has another limit, {@link #MOST_DISTANCE}.
 * Evaluation does not limit values, and neither does a saved model.
 */
public final class StandardizingLearner implements Learner {

  /** Smallest share of the difference by which a round changes the statistics. */
  static final double LEAST_SHARE = 0.001;

  /** Distance from the mean, in standard deviations, beyond which values are limited. */
  static final double MOST_DEVIATIONS = 10;

  /** Limit in median distances, about {@link #MOST_DEVIATIONS} in a normal distribution. */
  static final double MOST_MEDIANS = 15;

  /** Distance whose squares, summed over all samples of a round, are finite in a float. */
  static final double MOST_DISTANCE = 1e16;

  /** Shift whose sum over all samples of a round is finite in a float. */
  static final double MOST_SHIFT = 1e30;

  /** The number of rounds is a sum of floats: a number that is nearly 1 means 1. */
  private static final double HALF_A_ROUND = 0.5;

  private final Learner learner;
  private final RunningScales scales;
  private final int[] indices;

  /**
   * The statistics at the start of a call, because other threads may change them during the call.
   */
  private final double[] means;

  private final double[] deviations;

  /** Distances from the mean to which values are limited. */
  private final double[] limits;

  /** Medians of the batch's values, in the first round. */
  private final double[] medians;

  /** Sums over the samples of a batch, by feature. */
  private final double[] sums;

  private final double[] squares;

  /**
   * Creates a learner around another one, which belongs to the same thread.
   *
   * @param scales layout of the statistics, which follow the model parameters of {@code learner}
   */
  public StandardizingLearner(Learner learner, RunningScales scales) {
    if (scales.start() != learner.length()) {
      throw new IllegalArgumentException(
          "statistics after %d parameters: must follow the model's %d parameters"
              .formatted(scales.start(), learner.length()));
    }
    this.learner = learner;
    this.scales = scales;
    this.indices = scales.indices();
    this.means = new double[indices.length];
    this.deviations = new double[indices.length];
    this.limits = new double[indices.length];
    this.medians = new double[indices.length];
    this.sums = new double[indices.length];
    this.squares = new double[indices.length];
  }

  @Override
  public int length() {
    return scales.length();
  }

  @Override
  public void initialWeights(float[] weights) {
    learner.initialWeights(weights);
    Arrays.fill(weights, scales.start(), scales.length(), 0);
  }

  @Override
  public double gradient(float[] weights, Batch batch, float[] gradient) {
    if (!batch.isPlainSum()) {
      throw new IllegalArgumentException(
          "running statistics allow no linear combination of gradients, only their sum");
    }
    takeScales(weights);
    float[] rows = batch.features().toArray();
    takeLimits(rows, batch.features().width());
    Batch standardized = standardized(batch, rows);
    writeGradient(weights, batch.size(), gradient);
    return learner.gradient(weights, standardized, gradient);
  }

  @Override
  public Score scoreOfGradient() {
    return learner.scoreOfGradient();
  }

  @Override
  public Score evaluate(float[] weights, Batch batch) {
    takeScales(weights);
    Arrays.fill(limits, Double.POSITIVE_INFINITY);
    return learner.evaluate(weights, standardized(batch, batch.features().toArray()));
  }

  @Override
  public MathKernels kernels() {
    return learner.kernels();
  }

  @Override
  public void close() {
    learner.close();
  }

  private void takeScales(float[] weights) {
    for (int i = 0; i < indices.length; i++) {
      means[i] = scales.mean(weights, i);
      deviations[i] = scales.deviation(weights, i);
    }
  }

  private void takeLimits(float[] rows, int width) {
    double[] column = new double[rows.length / width];
    for (int i = 0; i < indices.length; i++) {
      limits[i] = Math.min(MOST_DISTANCE, MOST_DEVIATIONS * deviations[i]);
      if (deviations[i] == 0) {
        for (int row = 0; row < column.length; row++) {
          column[row] = rows[row * width + indices[i]];
        }
        medians[i] = Math.max(-MOST_SHIFT, Math.min(MOST_SHIFT, median(column)));
        for (int row = 0; row < column.length; row++) {
          column[row] = Math.abs(rows[row * width + indices[i]] - means[i]);
        }
        double usual = median(column);
        limits[i] = usual > 0 ? Math.min(MOST_DISTANCE, MOST_MEDIANS * usual) : MOST_DISTANCE;
      }
    }
  }

  /**
   * Sorts the numbers and returns the median; of an even number, the lower of the two in the
   * middle.
   */
  private static double median(double[] numbers) {
    Arrays.sort(numbers);
    return numbers[(numbers.length - 1) / 2];
  }

  /**
   * Returns the batch with its features standardized, and sums up their distances.
   *
   * @param rows the batch's features, which are overwritten
   */
  private Batch standardized(Batch batch, float[] rows) {
    int width = batch.features().width();
    Arrays.fill(sums, 0);
    Arrays.fill(squares, 0);
    for (int start = 0; start < rows.length; start += width) {
      for (int i = 0; i < indices.length; i++) {
        int at = start + indices[i];
        double deviation = deviations[i];
        double distance = Math.max(-limits[i], Math.min(limits[i], rows[at] - means[i]));
        sums[i] += distance;
        squares[i] += distance * distance;
        rows[at] = deviation > 0 ? (float) (distance / deviation) : 0;
      }
    }
    return new Batch(
        batch.epoch(),
        batch.ids(),
        Features.fitting(width, rows),
        batch.targets(),
        batch.lastOfEpoch(),
        batch.combination(),
        batch.origin());
  }

  private void writeGradient(float[] weights, int samples, float[] gradient) {
    double rounds = weights[scales.rounds()];
    boolean isFirst = rounds < HALF_A_ROUND;
    double share = Math.max(LEAST_SHARE, 2 / (Math.max(1, rounds) + 1));
    gradient[scales.rounds()] = share > LEAST_SHARE ? -samples : 0;
    for (int i = 0; i < indices.length; i++) {
      double variance = deviations[i] * deviations[i];
      gradient[scales.shifts() + i] = (float) (isFirst ? -samples * medians[i] : 0);
      gradient[scales.means() + i] = (float) (isFirst ? 0 : -share * sums[i]);
      gradient[scales.variances() + i] =
          (float) (isFirst ? 0 : -share * (squares[i] - samples * variance));
    }
  }
}
