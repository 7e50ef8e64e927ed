package dev.braid.learner.optimiser;

import dev.braid.vector.Range;
import dev.braid.vector.Slice;

/**
 * An optimiser's step over a range of the weights, or several steps at once along the sum of as
 * many gradients.
 *
 * @param range the elements that change
 * @param sum sum of the samples' gradients over the range
 * @param samples number of samples in the sum
 * @param gradients number of steps, at least 1. The state decays as much as if the gradients had
 *     come one by one. Otherwise gradients that arrive late and summed would act for longer than
 *     gradients that arrive at once, and training could become unstable
 * @param number number of steps that the range has taken before
 */
public record Step(Range range, Slice sum, long samples, int gradients, long number) {

  public Step {
    if (sum.length() != range.length()) {
      throw new IllegalArgumentException(
          sum.length() + " values for " + range + ": must be " + range.length());
    }
  }

  /**
   * Creates a single step.
   *
   * @param gradientSum sum of the samples' gradients, at the indices of the weights
   */
  public Step(Range range, float[] gradientSum, long samples, long number) {
    this(range, Slice.view(gradientSum, range), samples, 1, number);
  }

  /**
   * Creates a single step over all weights.
   *
   * @param gradientSum sum of the samples' gradients, as long as the weights
   */
  public Step(float[] gradientSum, long samples, long number) {
    this(Range.ofLength(gradientSum.length), gradientSum, samples, number);
  }
}
