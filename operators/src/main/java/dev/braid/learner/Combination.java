package dev.braid.learner;

import java.util.Arrays;

/**
 * What a rank makes of the samples of a round that several ranks compute: one linear combination of
 * their gradients.
 *
 * @param coefficients of the batch's samples, in their order; not copied
 * @param share ids of the samples of the round that are in this rank's account, so that each sample
 *     is in that of one rank; not copied
 * @param roundSamples how many samples the round has
 */
public record Combination(float[] coefficients, int[] share, int roundSamples) {

  /** That of some of the batch's samples, which follow each other. */
  Combination part(int first, int howMany) {
    return new Combination(
        Arrays.copyOfRange(coefficients, first, first + howMany), share, roundSamples);
  }

  /** Whether each sample counts once. */
  public boolean isPlain() {
    for (float coefficient : coefficients) {
      if (coefficient != 1) {
        return false;
      }
    }
    return true;
  }

  /** The sum of the coefficients. */
  double weight() {
    double sum = 0;
    for (float coefficient : coefficients) {
      sum += coefficient;
    }
    return sum;
  }
}
