package dev.braid.learner;

import java.util.Arrays;

/**
 * The linear combination of gradients that one rank contributes when several ranks compute the
 * samples of a round.
 *
 * @param coefficients one coefficient for each sample of the batch, in the batch's order; not
 *     copied
 * @param share ids of the round's samples that this rank accounts for: exactly one rank accounts
 *     for each sample; not copied
 * @param roundSamples number of samples in the round
 */
public record Combination(float[] coefficients, int[] share, int roundSamples) {

  /** Returns the combination for {@code howMany} consecutive samples of the batch. */
  Combination part(int first, int howMany) {
    return new Combination(
        Arrays.copyOfRange(coefficients, first, first + howMany), share, roundSamples);
  }

  /** Returns whether every coefficient is 1. */
  public boolean isPlain() {
    for (float coefficient : coefficients) {
      if (coefficient != 1) {
        return false;
      }
    }
    return true;
  }

  /** Returns the sum of the coefficients. */
  double weight() {
    double sum = 0;
    for (float coefficient : coefficients) {
      sum += coefficient;
    }
    return sum;
  }
}
