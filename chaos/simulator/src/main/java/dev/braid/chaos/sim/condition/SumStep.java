package dev.braid.chaos.sim.condition;

import dev.braid.learner.optimiser.Updater;
import dev.braid.vector.Range;

/** A step of length 1 along the sum of the samples' gradients, however many there are. */
public enum SumStep implements Updater {
  INSTANCE;

  @Override
  public int stateVectors() {
    return 0;
  }

  @Override
  public void step(
      float[] weights, float[][] state, Range range, float[] sum, long samples, long step) {
    for (int i = range.start(); i < range.end(); i++) {
      weights[i] -= sum[i];
    }
  }
}
