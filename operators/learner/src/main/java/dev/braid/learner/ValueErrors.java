package dev.braid.learner;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The errors of outputs against targets that are values, for each output. Sums of parts can be
 * added up. The targets' variance is kept as a mean and squared distances from that mean (Chan,
 * Golub and LeVeque, 1979), which loses no precision if targets are far from 0.
 *
 * @param samples number of samples
 * @param squared sums of squared errors, one per output
 * @param absolute sums of absolute errors, one per output
 * @param means means of the targets, one per output
 * @param spreads sums of the targets' squared distances from their mean, one per output
 */
public record ValueErrors(
    long samples, double[] squared, double[] absolute, double[] means, double[] spreads) {

  private static final int MOST_OUTPUTS = 1 << 20;

  /** Errors of no samples, or of samples that have classes. */
  public static final ValueErrors NONE =
      new ValueErrors(0, new double[0], new double[0], new double[0], new double[0]);

  /**
   * Returns the errors of some rows.
   *
   * @param targets row after row, from {@code start} on
   * @param outputs row after row
   */
  static ValueErrors of(float[] targets, int start, float[] outputs, int rows, int width) {
    double[] squared = new double[width];
    double[] absolute = new double[width];
    double[] means = new double[width];
    double[] spreads = new double[width];
    for (int r = 0; r < rows; r++) {
      for (int o = 0; o < width; o++) {
        double target = targets[start + r * width + o];
        double error = outputs[r * width + o] - target;
        squared[o] += error * error;
        absolute[o] += Math.abs(error);
        double before = target - means[o];
        means[o] += before / (r + 1);
        spreads[o] += before * (target - means[o]);
      }
    }
    return new ValueErrors(rows, squared, absolute, means, spreads);
  }

  void write(DataOutput out) throws IOException {
    out.writeLong(samples);
    out.writeInt(outputs());
    for (double[] sums : List.of(squared, absolute, means, spreads)) {
      for (double sum : sums) {
        out.writeDouble(sum);
      }
    }
  }

  static ValueErrors read(DataInput in) throws IOException {
    long samples = in.readLong();
    int outputs = in.readInt();
    if (outputs < 0 || outputs > MOST_OUTPUTS) {
      throw new IOException(
          "errors of %d outputs: must be 0 to %d".formatted(outputs, MOST_OUTPUTS));
    }
    double[][] sums = new double[4][outputs];
    for (double[] some : sums) {
      for (int i = 0; i < outputs; i++) {
        some[i] = in.readDouble();
      }
    }
    return new ValueErrors(samples, sums[0], sums[1], sums[2], sums[3]);
  }

  /** Returns the errors of the samples of both. */
  public ValueErrors plus(ValueErrors other) {
    if (samples == 0 || other.samples == 0) {
      return samples == 0 ? other : this;
    }
    long all = samples + other.samples;
    int width = outputs();
    double[] allMeans = new double[width];
    double[] allSpreads = new double[width];
    for (int o = 0; o < width; o++) {
      double apart = other.means[o] - means[o];
      allMeans[o] = means[o] + apart * other.samples / all;
      allSpreads[o] =
          spreads[o] + other.spreads[o] + apart * apart * samples * ((double) other.samples / all);
    }
    return new ValueErrors(
        all, sums(squared, other.squared), sums(absolute, other.absolute), allMeans, allSpreads);
  }

  private static double[] sums(double[] one, double[] other) {
    return IntStream.range(0, one.length).mapToDouble(o -> one[o] + other[o]).toArray();
  }

  /** Returns the number of outputs; 0 if there are no samples. */
  public int outputs() {
    return squared.length;
  }

  /** Returns the mean of an output's squared errors. */
  public double meanSquared(int output) {
    return squared[output] / samples;
  }

  /** Returns the mean of an output's absolute errors. */
  public double meanAbsolute(int output) {
    return absolute[output] / samples;
  }

  /**
   * Returns the share of the target's variance that the output explains: 1 at best, 0 for an output
   * that always equals the targets' mean, negative without bound if it is worse, and NaN if all
   * targets are the same.
   */
  public double r2(int output) {
    return spreads[output] > 0 ? 1 - squared[output] / spreads[output] : Double.NaN;
  }

  /** Returns the mean squared error over all outputs; NaN if there are none. */
  public double meanSquared() {
    return IntStream.range(0, outputs())
        .mapToDouble(this::meanSquared)
        .average()
        .orElse(Double.NaN);
  }

  /** Returns the mean absolute error over all outputs; NaN if there are none. */
  public double meanAbsolute() {
    return IntStream.range(0, outputs())
        .mapToDouble(this::meanAbsolute)
        .average()
        .orElse(Double.NaN);
  }

  /**
   * Returns the mean of {@link #r2(int)} over all outputs; NaN if there are none, or if all targets
   * of an output are the same.
   */
  public double r2() {
    return IntStream.range(0, outputs()).mapToDouble(this::r2).average().orElse(Double.NaN);
  }
}
