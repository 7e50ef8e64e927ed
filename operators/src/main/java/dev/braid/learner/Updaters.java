package dev.braid.learner;

import dev.braid.vector.Range;
import dev.braid.vector.Slice;

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

  private Updaters() {}

  private static void check(Updater updater, float[][] state, Range range, Slice gradientSum) {
    if (state.length != updater.stateVectors() || gradientSum.length() != range.length()) {
      throw new IllegalArgumentException(
          "a step over "
              + range
              + " with "
              + gradientSum.length()
              + " gradients and "
              + state.length
              + " state vectors: "
              + range.length()
              + " and "
              + updater.stateVectors()
              + " are needed");
    }
  }

  static final class Sgd implements Updater {
    private final float learningRate;

    Sgd(UpdaterSpec.Sgd spec) {
      this.learningRate = (float) spec.learningRate();
    }

    @Override
    public int stateVectors() {
      return 0;
    }

    @Override
    public void step(
        float[] weights, float[][] state, Range range, Slice gradientSum, long samples, long step) {
      check(this, state, range, gradientSum);
      descend(
          weights,
          range.start(),
          gradientSum.array(),
          gradientSum.offset(),
          range.length(),
          learningRate / samples);
    }

    private static void descend(
        float[] weights, int start, float[] gradient, int offset, int length, float rate) {
      for (int i = 0; i < length; i++) {
        weights[start + i] -= gradient[offset + i] * rate;
      }
    }
  }

  static final class Momentum implements Updater {
    private final float learningRate;
    private final float momentum;

    Momentum(UpdaterSpec.Momentum spec) {
      this.learningRate = (float) spec.learningRate();
      this.momentum = (float) spec.momentum();
    }

    @Override
    public int stateVectors() {
      return 1;
    }

    @Override
    public void step(
        float[] weights, float[][] state, Range range, Slice gradientSum, long samples, long step) {
      check(this, state, range, gradientSum);
      descend(
          weights,
          state[0],
          range.start(),
          gradientSum.array(),
          gradientSum.offset(),
          range.length(),
          learningRate / samples,
          momentum);
    }

    @Override
    public void stepAndAdd(
        float[] weights,
        float[][] state,
        Range range,
        Slice gradientSum,
        long samples,
        long step,
        float[] total) {
      check(this, state, range, gradientSum);
      descendAndAdd(
          weights,
          state[0],
          total,
          range.start(),
          gradientSum.array(),
          gradientSum.offset(),
          range.length(),
          learningRate / samples,
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
        Slice gradientSum,
        long samples,
        int gradients,
        long step) {
      if (gradients == 1) {
        step(weights, state, range, gradientSum, samples, step);
        return;
      }
      check(this, state, range, gradientSum);
      double part = (double) learningRate / samples / gradients;
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
          range.start(),
          gradientSum.array(),
          gradientSum.offset(),
          range.length(),
          new Shares(
              (float) weightsOfVelocity, (float) weightsOfGradient, (float) kept, (float) added));
    }

    /** Of velocity and gradient before, what goes to the weights and what to the velocity after. */
    private record Shares(
        float weightsOfVelocity, float weightsOfGradient, float kept, float added) {}

    private static void combine(
        float[] weights,
        float[] velocity,
        int start,
        float[] gradient,
        int offset,
        int length,
        Shares shares) {
      float weightsOfVelocity = shares.weightsOfVelocity;
      float weightsOfGradient = shares.weightsOfGradient;
      float kept = shares.kept;
      float added = shares.added;
      for (int i = 0; i < length; i++) {
        float v = velocity[start + i];
        float g = gradient[offset + i];
        weights[start + i] += weightsOfVelocity * v + weightsOfGradient * g;
        velocity[start + i] = kept * v + added * g;
      }
    }

    private static void descend(
        float[] weights,
        float[] velocity,
        int start,
        float[] gradient,
        int offset,
        int length,
        float rate,
        float momentum) {
      float ahead = -momentum - 1;
      for (int i = 0; i < length; i++) {
        float kept = momentum * velocity[start + i];
        float next = kept - gradient[offset + i] * rate;
        velocity[start + i] = next;
        weights[start + i] -= kept + ahead * next;
      }
    }

    /** {@link #descend}, and {@code total[i] += gradient[i]}. */
    private static void descendAndAdd(
        float[] weights,
        float[] velocity,
        float[] total,
        int start,
        float[] gradient,
        int offset,
        int length,
        float rate,
        float momentum) {
      float ahead = -momentum - 1;
      for (int i = 0; i < length; i++) {
        float sum = gradient[offset + i];
        float kept = momentum * velocity[start + i];
        float next = kept - sum * rate;
        velocity[start + i] = next;
        weights[start + i] -= kept + ahead * next;
        total[start + i] += sum;
      }
    }
  }

  static final class Adam implements Updater {
    private static final int BLOCK = 2048;

    private final float learningRate;
    private final float beta1;
    private final float beta2;
    private final float epsilon;

    Adam(UpdaterSpec.Adam spec) {
      this.learningRate = (float) spec.learningRate();
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
        float[] weights, float[][] state, Range range, Slice gradientSum, long samples, long step) {
      check(this, state, range, gradientSum);
      float rate = rate(step);
      // Two loops, over blocks that stay in the cache between them: the compiler makes vector
      // instructions of either, but not of both in one, which takes 2.5 times as long.
      for (int i = 0; i < range.chunks(BLOCK); i++) {
        Range block = range.chunk(i, BLOCK);
        int offset = gradientSum.offset() + block.start() - range.start();
        average(
            state[0],
            state[1],
            block.start(),
            gradientSum.array(),
            offset,
            block.length(),
            1f / samples,
            beta1,
            beta2);
        descend(weights, state[0], state[1], block.start(), block.length(), rate, epsilon);
      }
    }

    /** The learning rate with both bias corrections in it. */
    private float rate(long step) {
      float beta1Power = (float) StrictMath.pow(beta1, (double) (step + 1));
      float beta2Power = (float) StrictMath.pow(beta2, (double) (step + 1));
      return (float) (learningRate * (float) Math.sqrt(1.0 - beta2Power) / (1.0 - beta1Power));
    }

    private static void average(
        float[] mean,
        float[] square,
        int start,
        float[] gradient,
        int offset,
        int length,
        float share,
        float beta1,
        float beta2) {
      float newMean = 1 - beta1;
      float newSquare = 1 - beta2;
      for (int i = 0; i < length; i++) {
        float g = gradient[offset + i] * share;
        mean[start + i] = beta1 * mean[start + i] + g * newMean;
        square[start + i] = beta2 * square[start + i] + g * g * newSquare;
      }
    }

    private static void descend(
        float[] weights,
        float[] mean,
        float[] square,
        int start,
        int length,
        float rate,
        float epsilon) {
      for (int i = 0; i < length; i++) {
        weights[start + i] -=
            mean[start + i] * rate / ((float) Math.sqrt(square[start + i]) + epsilon);
      }
    }
  }
}
