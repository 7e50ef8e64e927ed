package dev.braid.learner.optimiser;

import dev.braid.vector.Range;
import dev.braid.vector.Vectors;

/**
 * An optimiser that takes its steps along clipped gradients. It does not change the gradient that
 * it is given, because that belongs to the exchange, which may still send it to other ranks.
 */
abstract class ClippedUpdater implements Updater {

  private final Updater updater;

  /**
   * The clipped gradient, at the indices of the weights; allocated when a gradient is first
   * clipped.
   */
  private float[] clipped = {};

  ClippedUpdater(Updater updater) {
    this.updater = updater;
  }

  /**
   * Returns the gradient to step along: either {@code gradientSum} or a clipped copy of it.
   *
   * @param parameters number of all parameters
   */
  abstract float[] clip(
      int parameters, Range range, float[] gradientSum, long samples, int gradients);

  /** Returns an updater that applies this clipping before the steps of another optimiser. */
  abstract Updater around(Updater other);

  /** Returns the array for a clipped gradient, as long as the parameters. */
  final float[] room(int parameters) {
    if (clipped.length != parameters) {
      clipped = new float[parameters];
    }
    return clipped;
  }

  @Override
  public int stateVectors() {
    return updater.stateVectors();
  }

  @Override
  public final Updater over(Range kept) {
    return around(updater.over(kept));
  }

  @Override
  public Updater within(Range part) {
    return around(updater.within(part));
  }

  @Override
  public void remember(float[][] state, Range range, float[] gradientSum, long samples, long step) {
    float[] gradient = clip(gradientSum.length, range, gradientSum, samples, 1);
    updater.remember(state, range, gradient, samples, step);
  }

  @Override
  public void step(
      float[] weights, float[][] state, Range range, float[] gradientSum, long samples, long step) {
    float[] gradient = clip(weights.length, range, gradientSum, samples, 1);
    updater.step(weights, state, range, gradient, samples, step);
  }

  @Override
  public void steps(
      float[] weights,
      float[][] state,
      Range range,
      float[] gradientSum,
      long samples,
      int gradients,
      long step) {
    float[] gradient = clip(weights.length, range, gradientSum, samples, gradients);
    updater.steps(weights, state, range, gradient, samples, gradients, step);
  }

  static final class ByNorm extends ClippedUpdater {
    private final double limit;

    ByNorm(Updater updater, double limit) {
      super(updater);
      this.limit = limit;
    }

    @Override
    float[] clip(int parameters, Range range, float[] gradientSum, long samples, int gradients) {
      if (range.length() != parameters) {
        throw new IllegalArgumentException(
            "a step over "
                + range
                + " of "
                + parameters
                + " parameters: clipping by norm needs the whole gradient");
      }
      double norm = Vectors.norm(gradientSum, range) / samples;
      if (norm <= limit) {
        return gradientSum;
      }
      float[] gradient = room(parameters);
      scale(gradient, gradientSum, range.start(), range.end(), (float) (limit / norm));
      return gradient;
    }

    @Override
    Updater around(Updater other) {
      return new ByNorm(other, limit);
    }

    @Override
    public Updater within(Range part) {
      throw new UnsupportedOperationException(
          "steps over only " + part + ": clipping by norm needs the whole gradient");
    }

    private static void scale(float[] into, float[] values, int start, int end, float factor) {
      for (int i = start; i < end; i++) {
        into[i] = values[i] * factor;
      }
    }
  }

  static final class ByValue extends ClippedUpdater {
    private final double limit;
    private final int batch;

    ByValue(Updater updater, double limit, int batch) {
      super(updater);
      this.limit = limit;
      this.batch = batch;
    }

    @Override
    float[] clip(int parameters, Range range, float[] gradientSum, long samples, int gradients) {
      long summed = batch == 0 ? samples : (long) batch * gradients;
      float[] gradient = room(parameters);
      hold(gradient, gradientSum, range.start(), range.end(), (float) (limit * summed));
      return gradient;
    }

    @Override
    Updater around(Updater other) {
      return new ByValue(other, limit, batch);
    }

    private static void hold(float[] into, float[] values, int start, int end, float most) {
      for (int i = start; i < end; i++) {
        into[i] = Math.max(-most, Math.min(most, values[i]));
      }
    }
  }
}
