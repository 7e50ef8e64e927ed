package dev.braid.codec;

import dev.braid.vector.Range;

/**
 * Cuts residuals off at a multiple of the threshold, every few steps. Residuals that grow to many
 * times τ take as many steps to be sent, and are of an old model then (Deeplearning4j, "residual
 * explosion").
 *
 * @param thresholds largest residual, in thresholds
 * @param everySteps how often it is cut off
 */
public record ResidualClipping(float thresholds, int everySteps) {

  /** Deeplearning4j's: 5 τ, every 5 steps. */
  public static final ResidualClipping DEFAULT = new ResidualClipping(5, 5);

  public ResidualClipping {
    if (!(thresholds >= 1) || everySteps < 1) {
      throw new IllegalArgumentException(
          "clipping at %s thresholds every %d steps: at least 1 of each is needed"
              .formatted(thresholds, everySteps));
    }
  }

  /**
   * Cuts the residual of a step off, if it is time to.
   *
   * @param step from 0 on
   */
  public void clip(float[] residual, Range range, float tau, long step) {
    if (step == 0 || step % everySteps != 0) {
      return;
    }
    float most = thresholds * tau;
    for (int i = range.start(); i < range.end(); i++) {
      residual[i] = Math.max(-most, Math.min(most, residual[i]));
    }
  }
}
