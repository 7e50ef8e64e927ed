package dev.braid.chaos.sim.condition;

import dev.braid.learner.optimiser.Step;
import dev.braid.learner.optimiser.Updater;
import dev.braid.vector.Slice;

/** A step of length 1 along the sum of the samples' gradients, however many there are. */
public enum SumStep implements Updater {
  INSTANCE;

  @Override
  public int stateVectors() {
    return 0;
  }

  @Override
  public void step(float[] weights, float[][] state, int offset, Step step) {
    Slice sum = step.sum();
    for (int i = 0; i < sum.length(); i++) {
      weights[step.range().start() + i] -= sum.array()[sum.offset() + i];
    }
  }
}
