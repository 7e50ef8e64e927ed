package dev.braid.learner.optimiser;

import dev.braid.vector.Range;

/** Nesterov momentum (1983), as ND4J computes it. The state is the velocity. */
final class MomentumUpdater implements Updater {
  private final UpdaterSpec spec;
  private final LearningRateSchedule schedule;
  private final float momentum;

  MomentumUpdater(UpdaterSpec.Momentum spec, LearningRateSchedule schedule) {
    this.spec = spec;
    this.schedule = schedule;
    this.momentum = (float) spec.momentum();
  }

  @Override
  public int stateVectors() {
    return 1;
  }

  @Override
  public void step(
      float[] weights, float[][] state, Range range, float[] gradientSum, long samples, long step) {
    Updaters.check(this, state, range, gradientSum);
    descend(
        weights,
        state[0],
        gradientSum,
        range.start(),
        range.end(),
        Updaters.rate(spec, schedule, step) / samples,
        momentum);
  }

  @Override
  public void remember(float[][] state, Range range, float[] gradientSum, long samples, long step) {
    Updaters.check(this, state, range, gradientSum);
    float rate = Updaters.rate(spec, schedule, step) / samples;
    changeVelocity(state[0], gradientSum, range.start(), range.end(), rate, momentum);
  }

  @Override
  public void stepAndAdd(
      float[] weights,
      float[][] state,
      Range range,
      float[] gradientSum,
      long samples,
      long step,
      float[] total) {
    Updaters.check(this, state, range, gradientSum);
    descendAndAdd(
        weights,
        state[0],
        total,
        gradientSum,
        range.start(),
        range.end(),
        Updaters.rate(spec, schedule, step) / samples,
        momentum);
  }

  /**
   * Takes several steps in one pass, which is possible because the steps are linear in velocity and
   * gradient. With g the mean gradient's part of a step, each step is v ← μ·v − g and w ← w −
   * μ·v(before) + (1 + μ)·v.
   */
  @Override
  public void steps(
      float[] weights,
      float[][] state,
      Range range,
      float[] gradientSum,
      long samples,
      int gradients,
      long step) {
    if (gradients == 1) {
      step(weights, state, range, gradientSum, samples, step);
      return;
    }
    Updaters.check(this, state, range, gradientSum);
    double part = (double) Updaters.rate(spec, schedule, step) / samples / gradients;
    double kept = 1;
    double added = 0;
    double weightsOfVelocity = 0;
    double weightsOfGradient = 0;
    for (int i = 0; i < gradients; i++) {
      double keptNext = momentum * kept;
      double addedNext = momentum * added - part;
      weightsOfVelocity += momentum * keptNext;
      weightsOfGradient += -momentum * added + (1 + momentum) * addedNext;
      kept = keptNext;
      added = addedNext;
    }
    combine(
        weights,
        state[0],
        gradientSum,
        range.start(),
        range.end(),
        new Shares(
            (float) weightsOfVelocity, (float) weightsOfGradient, (float) kept, (float) added));
  }

  /**
   * Coefficients of the old velocity and of the gradient in the change of the weights ({@code
   * weightsOfVelocity}, {@code weightsOfGradient}), and in the new velocity ({@code kept}, {@code
   * added}).
   */
  private record Shares(
      float weightsOfVelocity, float weightsOfGradient, float kept, float added) {}

  private static void combine(
      float[] weights, float[] velocity, float[] gradient, int start, int end, Shares shares) {
    float weightsOfVelocity = shares.weightsOfVelocity;
    float weightsOfGradient = shares.weightsOfGradient;
    float kept = shares.kept;
    float added = shares.added;
    for (int i = start; i < end; i++) {
      float v = velocity[i];
      float g = gradient[i];
      weights[i] += weightsOfVelocity * v + weightsOfGradient * g;
      velocity[i] = kept * v + added * g;
    }
  }

  private static void changeVelocity(
      float[] velocity, float[] gradient, int start, int end, float rate, float momentum) {
    for (int i = start; i < end; i++) {
      velocity[i] = momentum * velocity[i] - gradient[i] * rate;
    }
  }

  private static void descend(
      float[] weights,
      float[] velocity,
      float[] gradient,
      int start,
      int end,
      float rate,
      float momentum) {
    float ahead = -momentum - 1;
    for (int i = start; i < end; i++) {
      float kept = momentum * velocity[i];
      float next = kept - gradient[i] * rate;
      velocity[i] = next;
      weights[i] -= kept + ahead * next;
    }
  }

  /** Does what {@link #descend} does, and adds the gradient: {@code total[i] += gradient[i]}. */
  private static void descendAndAdd(
      float[] weights,
      float[] velocity,
      float[] total,
      float[] gradient,
      int start,
      int end,
      float rate,
      float momentum) {
    float ahead = -momentum - 1;
    for (int i = start; i < end; i++) {
      float sum = gradient[i];
      float kept = momentum * velocity[i];
      float next = kept - sum * rate;
      velocity[i] = next;
      weights[i] -= kept + ahead * next;
      total[i] += sum;
    }
  }
}
