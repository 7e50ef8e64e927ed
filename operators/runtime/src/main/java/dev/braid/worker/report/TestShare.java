package dev.braid.worker.report;

import dev.braid.vector.Range;

/**
 * The share of the test set that one rank evaluates: one of equal parts that together are the whole
 * set. Every rank that takes part in rounds evaluates a part, so excluded ranks leave no gap.
 *
 * @param part index of the part, from 0
 * @param parts number of parts; 0 for no share
 */
public record TestShare(int part, int parts) {

  public static final TestShare NONE = new TestShare(0, 0);

  /** Returns the range of this share in a test set of {@code samples} samples. */
  public Range of(int samples) {
    return parts == 0 ? Range.EMPTY : Range.ofLength(samples).part(part, parts);
  }
}
