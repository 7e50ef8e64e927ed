package dev.braid.learner.optimiser;

import dev.braid.vector.Range;

/**
 * The optimisers: one pass over weights, state and gradient each, in loops that the JIT compiler
 * turns into vector instructions.
 *
 * <p>Coefficients are rounded to float where ND4J rounds them (libnd4j computes in the gradient's
 * type), since {@code 1 - 0.999} differs by 1e-5 of itself between float and double. Powers come
 * from {@link StrictMath}, so that ranks on different processors agree. The division by the number
 * of samples is done once: one for each element takes as long as all the rest.
 */
final class Updaters {

  /**
   * Of loops that come one after the other over what stays in the cache between them: the compiler
   * makes vector instructions of each, but not of both in one, which takes 2.5 times as long.
   */
  private static final int BLOCK = 2048;

  private Updaters() {}

  private static void check(Updater updater, float[][] state, Range range, float[] gradientSum) {
    if (state.length != updater.stateVectors() || gradientSum.length < range.end()) {
      throw new IllegalArgumentException(
          "a step over "
              + range
              + " with "
              + gradientSum.length
              + " gradients and "
              + state.length
              + " state vectors: "
              + range.end()
              + " and "
              + updater.stateVectors()
              + " are needed");
    }
  }

  /** The learning rate after so many steps, rounded once. */
  private static float rate(UpdaterSpec spec, LearningRateSchedule schedule, long step) {
    return (float) (spec.learningRate() * schedule.factor(step));
  }

  static final class Sgd implements Updater {
    private final UpdaterSpec spec;
    private final LearningRateSchedule schedule;

    Sgd(UpdaterSpec.Sgd spec, LearningRateSchedule schedule) {
      this.spec = spec;
      this.schedule = schedule;
    }

    @Override
    public int stateVectors() {
      return 0;
    }

    @Override
    public void step(
        float[] weights,
        float[][] state,
        Range range,
        float[] gradientSum,
        long samples,
        long step) {
      check(this, state, range, gradientSum);
      float rate = rate(spec, schedule, step) / samples;
      descend(weights, gradientSum, range.start(), range.end(), rate);
    }

    private static void descend(float[] weights, float[] gradient, int start, int end, float rate) {
      for (int i = start; i < end; i++) {
        weights[i] -= gradient[i] * rate;
      }
    }
  }

  static final class Momentum implements Updater {
    private final UpdaterSpec spec;
    private final LearningRateSchedule schedule;
    private final float momentum;

    Momentum(UpdaterSpec.Momentum spec, LearningRateSchedule schedule) {
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
        float[] weights,
        float[][] state,
        Range range,
        float[] gradientSum,
        long samples,
        long step) {
      check(this, state, range, gradientSum);
      descend(
          weights,
          state[0],
          gradientSum,
          range.start(),
          range.end(),
          rate(spec, schedule, step) / samples,
          momentum);
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
      check(this, state, range, gradientSum);
      descendAndAdd(
          weights,
          state[0],
          total,
          gradientSum,
          range.start(),
          range.end(),
          rate(spec, schedule, step) / samples,
          momentum);
    }

    /**
     * The steps are linear in velocity and gradient, so that many of them are one pass, too. With g
     * the mean gradient's part of a step, v ← μ·v − g and w ← w − μ·v(before) + (1 + μ)·v each
     * time.
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
      check(this, state, range, gradientSum);
      double part = (double) rate(spec, schedule, step) / samples / gradients;
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

    /** Of velocity and gradient before, what goes to the weights and what to the velocity after. */
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

    /** {@link #descend}, and {@code total[i] += gradient[i]}. */
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

  static final class Adam implements Updater {
    private final UpdaterSpec spec;
    private final LearningRateSchedule schedule;
    private final float beta1;
    private final float beta2;
    private final float epsilon;

    Adam(UpdaterSpec.Adam spec, LearningRateSchedule schedule) {
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
        float[] weights,
        float[][] state,
        Range range,
        float[] gradientSum,
        long samples,
        long step) {
      check(this, state, range, gradientSum);
      float rate = corrected(step);
      for (int i = 0; i < range.chunks(BLOCK); i++) {
        Range block = range.chunk(i, BLOCK);
        average(state, block, gradientSum, samples);
        descend(weights, state[0], state[1], block, rate);
      }
    }

    private void average(float[][] state, Range block, float[] gradientSum, long samples) {
      float share = 1f / samples;
      average(state[0], state[1], gradientSum, block.start(), block.end(), share, beta1, beta2);
    }

    private void descend(float[] weights, float[] mean, float[] square, Range block, float rate) {
      descend(weights, mean, square, block.start(), block.end(), rate, epsilon);
    }

    /** The learning rate with both bias corrections in it. */
    private float corrected(long step) {
      float beta1Power = (float) StrictMath.pow(beta1, (double) (step + 1));
      float beta2Power = (float) StrictMath.pow(beta2, (double) (step + 1));
      float learningRate = rate(spec, schedule, step);
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

  /** The mean of squares, which the step is divided by the root of (Tieleman and Hinton, 2012). */
  static final class RmsProp implements Updater {
    private final UpdaterSpec spec;
    private final LearningRateSchedule schedule;
    private final float decay;
    private final float epsilon;

    RmsProp(UpdaterSpec.RmsProp spec, LearningRateSchedule schedule) {
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
        float[] weights,
        float[][] state,
        Range range,
        float[] gradientSum,
        long samples,
        long step) {
      check(this, state, range, gradientSum);
      float rate = rate(spec, schedule, step);
      for (int i = 0; i < range.chunks(BLOCK); i++) {
        Range block = range.chunk(i, BLOCK);
        average(state[0], gradientSum, block.start(), block.end(), 1f / samples, decay);
        descend(
            weights, state[0], gradientSum, block.start(), block.end(), rate / samples, epsilon);
      }
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

  /** Adam that divides by the largest mean of squares so far (Reddi et al., 2018). */
  static final class AmsGrad implements Updater {
    private final Adam adam;

    AmsGrad(UpdaterSpec.AmsGrad spec, LearningRateSchedule schedule) {
      this.adam = new Adam(spec.likeAdam(), schedule);
    }

    @Override
    public int stateVectors() {
      return 3;
    }

    @Override
    public void step(
        float[] weights,
        float[][] state,
        Range range,
        float[] gradientSum,
        long samples,
        long step) {
      check(this, state, range, gradientSum);
      float rate = adam.corrected(step);
      for (int i = 0; i < range.chunks(BLOCK); i++) {
        Range block = range.chunk(i, BLOCK);
        adam.average(state, block, gradientSum, samples);
        keepLargest(state[2], state[1], block.start(), block.end());
        adam.descend(weights, state[0], state[2], block, rate);
      }
    }

    private static void keepLargest(float[] largest, float[] values, int start, int end) {
      for (int i = start; i < end; i++) {
        largest[i] = Math.max(largest[i], values[i]);
      }
    }
  }
}
