package dev.braid.codec;

import dev.braid.vector.Range;

/**
 * Clips residuals at a multiple of the threshold, every few steps. A residual of many times τ takes
 * as many steps to be sent, and belongs to an old model by then (Deeplearning4j, "residual
 * explosion").
 *
 * @param thresholds largest residual, in thresholds
 * @param everySteps number of steps between two clippings
 */
public record ResidualClipping(float thresholds, int everySteps) {

  /** Deeplearning4j's clipping: 5 τ, every 5 steps. */
  public static final ResidualClipping DEFAULT = new ResidualClipping(5, 5);

  public ResidualClipping {
    if (!(thresholds >= 1) || everySteps < 1) {
      throw new IllegalArgumentException(
          "clipping at %s thresholds every %d steps: both must be at least 1"
              .formatted(thresholds, everySteps));
    }
  }

  /**
   * Clips the residual of a step, if clipping is due.
   *
   * @param step index of the step, from 0
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
