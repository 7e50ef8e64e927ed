package dev.braid.worker.report;

import dev.braid.vector.Range;

/**
 * The share of the test set that one rank evaluates: one of equal parts, which together are all of
 * it. Whoever takes part in rounds evaluates a part, so that ranks that are cut off leave no gap.
 *
 * @param part which one, from 0
 * @param parts how many there are; 0 for no share at all
 */
public record TestShare(int part, int parts) {

  public static final TestShare NONE = new TestShare(0, 0);

  /** Which of so many samples are in it. */
  public Range of(int samples) {
    return parts == 0 ? Range.EMPTY : Range.ofLength(samples).part(part, parts);
  }
}
