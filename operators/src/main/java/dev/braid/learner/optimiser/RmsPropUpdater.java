package dev.braid.learner.optimiser;

import dev.braid.vector.Range;

/**
 * RMSProp (Tieleman and Hinton, 2012). The state is the running mean of squared gradients; the step
 * is divided by its square root.
 */
final class RmsPropUpdater implements Updater {
  private final UpdaterSpec spec;
  private final LearningRateSchedule schedule;
  private final float decay;
  private final float epsilon;

  RmsPropUpdater(UpdaterSpec.RmsProp spec, LearningRateSchedule schedule) {
    this.spec = spec;
    this.schedule = schedule;
    this.decay = (float) spec.decay();
    this.epsilon = (float) spec.epsilon();
  }

  @Override
  public int stateVectors() {
    return 1;
  }

  @Override
  public void step(
      float[] weights, float[][] state, Range range, float[] gradientSum, long samples, long step) {
    Updaters.check(this, state, range, gradientSum);
    float rate = Updaters.rate(spec, schedule, step);
    for (int i = 0; i < range.chunks(Updaters.BLOCK); i++) {
      Range block = range.chunk(i, Updaters.BLOCK);
      average(state[0], gradientSum, block.start(), block.end(), 1f / samples, decay);
      descend(weights, state[0], gradientSum, block.start(), block.end(), rate / samples, epsilon);
    }
  }

  @Override
  public void remember(float[][] state, Range range, float[] gradientSum, long samples, long step) {
    Updaters.check(this, state, range, gradientSum);
    average(state[0], gradientSum, range.start(), range.end(), 1f / samples, decay);
  }

  private static void average(
      float[] square, float[] gradient, int start, int end, float share, float decay) {
    float added = 1 - decay;
    for (int i = start; i < end; i++) {
      float g = gradient[i] * share;
      square[i] = decay * square[i] + g * g * added;
    }
  }

  private static void descend(
      float[] weights,
      float[] square,
      float[] gradient,
      int start,
      int end,
      float rate,
      float epsilon) {
    for (int i = start; i < end; i++) {
      weights[i] -= gradient[i] * rate / ((float) Math.sqrt(square[i]) + epsilon);
    }
  }
}
