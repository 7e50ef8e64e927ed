package dev.braid.learner.optimiser;

import dev.braid.vector.Range;

/** AMSGrad: Adam that divides by the largest mean of squares so far (Reddi et al., 2018). */
final class AmsGradUpdater implements Updater {
  private final AdamUpdater adam;

  AmsGradUpdater(UpdaterSpec.AmsGrad spec, LearningRateSchedule schedule) {
    this.adam = new AdamUpdater(spec.likeAdam(), schedule);
  }

  @Override
  public int stateVectors() {
    return 3;
  }

  @Override
  public void step(
      float[] weights, float[][] state, Range range, float[] gradientSum, long samples, long step) {
    Updaters.check(this, state, range, gradientSum);
    float rate = adam.corrected(step);
    for (int i = 0; i < range.chunks(Updaters.BLOCK); i++) {
      Range block = range.chunk(i, Updaters.BLOCK);
      adam.average(state, block, gradientSum, samples);
      keepLargest(state[2], state[1], block.start(), block.end());
      adam.descend(weights, state[0], state[2], block, rate);
    }
  }

  @Override
  public void remember(float[][] state, Range range, float[] gradientSum, long samples, long step) {
    Updaters.check(this, state, range, gradientSum);
    for (int i = 0; i < range.chunks(Updaters.BLOCK); i++) {
      Range block = range.chunk(i, Updaters.BLOCK);
      adam.average(state, block, gradientSum, samples);
      keepLargest(state[2], state[1], block.start(), block.end());
    }
  }

  private static void keepLargest(float[] largest, float[] values, int start, int end) {
    for (int i = start; i < end; i++) {
      largest[i] = Math.max(largest[i], values[i]);
    }
  }
}
