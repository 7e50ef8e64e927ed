package dev.braid.learner.network;

import dev.braid.vector.Range;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Layout of the running statistics by which features are standardized. They follow the model's own
 * parameters: the number of rounds that they cover, and for each feature a shift, the mean of its
 * distances from the shift, and the variance.
 *
 * <p>The shift is the mean of the first round. A float has too few digits for the mean of times in
 * seconds, which differ only in their last digits, but enough for the distance from the shift.
 */
public final class RunningScales {

  private static final int VECTORS = 3;

  private final int start;
  private final int[] indices;

  /**
   * Scale of a feature.
   *
   * @param deviation the standard deviation; 0 while it is unknown, and of a constant feature
   */
  public record Scale(double mean, double deviation) {}

  /**
   * Creates a layout.
   *
   * @param start number of the model's own parameters
   * @param features ranges of the standardized features in a sample, at least one feature
   */
  public RunningScales(int start, List<Range> features) {
    this.start = start;
    this.indices =
        features.stream()
            .flatMapToInt(range -> IntStream.range(range.start(), range.end()))
            .toArray();
  }

  /** Returns the number of features that are standardized. */
  private int count() {
    return indices.length;
  }

  /** Returns the indices of these features in a sample, in their order. */
  int[] indices() {
    return indices.clone();
  }

  /** Returns the number of the model's own parameters. */
  int start() {
    return start;
  }

  /** Returns the range of the statistics in the flat vector. */
  public Range statistics() {
    return new Range(start, start + 1 + VECTORS * count());
  }

  /** Returns the length of the flat vector. */
  public int length() {
    return statistics().end();
  }

  /** Returns the index of the number of rounds in the flat vector. */
  int rounds() {
    return start;
  }

  /** Returns the index of the first shift in the flat vector. */
  int shifts() {
    return start + 1;
  }

  /** Returns the index of the first mean distance in the flat vector. */
  int means() {
    return shifts() + count();
  }

  /** Returns the index of the first variance in the flat vector. */
  int variances() {
    return means() + count();
  }

  /**
   * Returns the mean of a feature.
   *
   * @param feature index among the standardized features
   */
  double mean(float[] weights, int feature) {
    return (double) weights[shifts() + feature] + weights[means() + feature];
  }

  /**
   * Returns the standard deviation of a feature.
   *
   * @param feature index among the standardized features
   */
  double deviation(float[] weights, int feature) {
    // The variance may temporarily be negative, because asynchronous ranks add up changes.
    return Math.sqrt(Math.max(0, weights[variances() + feature]));
  }

  /**
   * Returns the scale of each feature, in the order of the features.
   *
   * @param weights of the flat vector's length
   */
  public List<Scale> scales(float[] weights) {
    return IntStream.range(0, count())
        .mapToObj(i -> new Scale(mean(weights, i), deviation(weights, i)))
        .toList();
  }
}
