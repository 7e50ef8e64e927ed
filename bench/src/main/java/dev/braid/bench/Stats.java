package dev.braid.bench;

import java.util.Arrays;
import java.util.Locale;

/**
 * Median, least and most of a series of measurements.
 *
 * <p>The median, not the mean: on a machine with other load a few rounds take many times as long as
 * the others.
 */
public record Stats(int count, double median, double min, double max) {

  /** The statistics of at least one value; the array is not changed. */
  public static Stats of(double... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("statistics of no values");
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int n = sorted.length;
    double median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
    return new Stats(n, median, sorted[0], sorted[n - 1]);
  }

  /** Median, min and max, three digits after the point each, separated by a space. */
  public String line() {
    return String.format(Locale.ROOT, "%.3f %.3f %.3f", median, min, max);
  }
}
