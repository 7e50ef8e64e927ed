package dev.braid.worker;

import dev.braid.learner.Updater;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;

/** Optimisers whose weights show every gradient. */
final class TestUpdaters {

  private TestUpdaters() {}

  /** Plain gradient descent. */
  static Updater plain() {
    return new Descent(0.1f, true);
  }

  /** The sum of all gradients: whole numbers stay whole, and their sums exact in any order. */
  static Updater summing() {
    return new Descent(1, false);
  }

  private record Descent(float rate, boolean divides) implements Updater {
    @Override
    public int stateVectors() {
      return 0;
    }

    @Override
    public void step(
        float[] weights, float[][] state, Range range, Slice sum, long samples, long step) {
      float factor = divides ? rate / samples : rate;
      for (int i = 0; i < range.length(); i++) {
        weights[range.start() + i] -= factor * sum.array()[sum.offset() + i];
      }
    }
  }
}
