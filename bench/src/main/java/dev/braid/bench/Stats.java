package dev.braid.bench;

import java.util.Arrays;
import java.util.Locale;

/**
 * Median, minimum and maximum of a series of measurements.
 *
 * <p>The median is used instead of the mean because a few rounds take many times as long as the
 * others on a machine with other load.
 */
public record Stats(int count, double median, double min, double max) {

  /** Returns the statistics of at least one value; the array is not changed. */
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

  /** Returns median, minimum and maximum, with three decimals each, separated by spaces. */
  public String line() {
    return String.format(Locale.ROOT, "%.3f %.3f %.3f", median, min, max);
  }
}
