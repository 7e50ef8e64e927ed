package dev.braid.learner.optimiser;

import dev.braid.vector.Range;

/**
 * Adam (Kingma and Ba, 2015). The state is two vectors: the mean of the gradients, and the mean of
 * their squares.
 */
final class AdamUpdater implements Updater {
  private final UpdaterSpec spec;
  private final LearningRateSchedule schedule;
  private final float beta1;
  private final float beta2;
  private final float epsilon;

  AdamUpdater(UpdaterSpec.Adam spec, LearningRateSchedule schedule) {
    this.spec = spec;
    this.schedule = schedule;
    this.beta1 = (float) spec.beta1();
    this.beta2 = (float) spec.beta2();
    this.epsilon = (float) spec.epsilon();
  }

  @Override
  public int stateVectors() {
    return 2;
  }

  @Override
  public void step(
      float[] weights, float[][] state, Range range, float[] gradientSum, long samples, long step) {
    Updaters.check(this, state, range, gradientSum);
    float rate = corrected(step);
    for (int i = 0; i < range.chunks(Updaters.BLOCK); i++) {
      Range block = range.chunk(i, Updaters.BLOCK);
      average(state, block, gradientSum, samples);
      descend(weights, state[0], state[1], block, rate);
    }
  }

  @Override
  public void remember(float[][] state, Range range, float[] gradientSum, long samples, long step) {
    Updaters.check(this, state, range, gradientSum);
    average(state, range, gradientSum, samples);
  }

  void average(float[][] state, Range block, float[] gradientSum, long samples) {
    float share = 1f / samples;
    average(state[0], state[1], gradientSum, block.start(), block.end(), share, beta1, beta2);
  }

  void descend(float[] weights, float[] mean, float[] square, Range block, float rate) {
    descend(weights, mean, square, block.start(), block.end(), rate, epsilon);
  }

  /** Returns the learning rate, including both bias corrections. */
  float corrected(long step) {
    float beta1Power = (float) StrictMath.pow(beta1, (double) (step + 1));
    float beta2Power = (float) StrictMath.pow(beta2, (double) (step + 1));
    float learningRate = Updaters.rate(spec, schedule, step);
    return (float) (learningRate * (float) Math.sqrt(1.0 - beta2Power) / (1.0 - beta1Power));
  }

  private static void average(
      float[] mean,
      float[] square,
      float[] gradient,
      int start,
      int end,
      float share,
      float beta1,
      float beta2) {
    float newMean = 1 - beta1;
    float newSquare = 1 - beta2;
    for (int i = start; i < end; i++) {
      float g = gradient[i] * share;
      mean[i] = beta1 * mean[i] + g * newMean;
      square[i] = beta2 * square[i] + g * g * newSquare;
    }
  }

  private static void descend(
      float[] weights,
      float[] mean,
      float[] square,
      int start,
      int end,
      float rate,
      float epsilon) {
    for (int i = start; i < end; i++) {
      weights[i] -= mean[i] * rate / ((float) Math.sqrt(square[i]) + epsilon);
    }
  }
}
