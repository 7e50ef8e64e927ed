package dev.braid.worker;

import dev.braid.learner.optimiser.Step;
import dev.braid.learner.optimiser.Updater;
import dev.braid.vector.Slice;

/** Optimisers whose weights show every gradient. */
final class TestUpdaters {

  private TestUpdaters() {}

  /** Returns plain gradient descent. */
  static Updater plain() {
    return new Descent(0.1f, true);
  }

  /**
   * Returns an updater that adds all gradients: whole numbers stay whole, and sums are exact in any
   * order.
   */
  static Updater summing() {
    return new Descent(1, false);
  }

  private record Descent(float rate, boolean divides) implements Updater {
    @Override
    public int stateVectors() {
      return 0;
    }

    @Override
    public void step(float[] weights, float[][] state, int offset, Step step) {
      float factor = divides ? rate / step.samples() : rate;
      Slice sum = step.sum();
      for (int i = 0; i < sum.length(); i++) {
        weights[step.range().start() + i] -= factor * sum.array()[sum.offset() + i];
      }
    }
  }
}
