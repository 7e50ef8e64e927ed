package dev.braid.learner.optimiser;

import dev.braid.vector.Range;

/** Plain gradient descent: {@code w ← w − η·g}, with g the mean gradient. It has no state. */
final class SgdUpdater implements Updater {
  private final UpdaterSpec spec;
  private final LearningRateSchedule schedule;

  SgdUpdater(UpdaterSpec.Sgd spec, LearningRateSchedule schedule) {
    this.spec = spec;
    this.schedule = schedule;
  }

  @Override
  public int stateVectors() {
    return 0;
  }

  @Override
  public void step(
      float[] weights, float[][] state, Range range, float[] gradientSum, long samples, long step) {
    Updaters.check(this, state, range, gradientSum);
    float rate = Updaters.rate(spec, schedule, step) / samples;
    descend(weights, gradientSum, range.start(), range.end(), rate);
  }

  private static void descend(float[] weights, float[] gradient, int start, int end, float rate) {
    for (int i = start; i < end; i++) {
      weights[i] -= gradient[i] * rate;
    }
  }
}
