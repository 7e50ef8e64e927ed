package dev.braid.learner.network;

import dev.braid.vector.Range;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Layout of the running statistics by which features are standardized. They are parameters behind
 * those of the model: the number of rounds that they are of, and for each feature a shift, the mean
 * of its distances from the shift, and the variance.
 *
 * <p>The shift is the mean of the first round. A float has too few digits for the mean of times in
 * seconds, which differ in their last digits only: the distance from the shift has enough.
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
   * @param features which of a sample's numbers are standardized, at least one
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

  /** Returns the part of the flat vector that has the statistics. */
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

  /** Returns the mean of a feature, which is counted among those that are standardized. */
  double mean(float[] weights, int feature) {
    return (double) weights[shifts() + feature] + weights[means() + feature];
  }

  /** Returns the standard deviation of such a feature. */
  double deviation(float[] weights, int feature) {
    // The variance may be below 0 for a while where ranks add up changes without waiting.
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
