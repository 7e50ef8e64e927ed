package dev.braid.learner.optimiser;

import dev.braid.vector.Range;

/**
 * What the optimisers have in common. A step of each is one pass over weights, state and gradient,
 * in loops that the JIT compiler vectorises.
 *
 * <p>Coefficients are rounded to float where ND4J rounds them (libnd4j computes in the gradient's
 * type), since {@code 1 - 0.999} has a relative difference of 1e-5 between float and double. Powers
 * come from {@link StrictMath}, so that ranks on different processors agree. The division by the
 * number of samples is done once, because one division per element would take as long as all the
 * rest.
 */
final class Updaters {

  /**
   * Number of elements that one loop processes before the next loop does, so that they stay in the
   * cache. The compiler vectorises each of the loops, but not one loop that does the work of both,
   * which takes 2.5 times as long.
   */
  static final int BLOCK = 2048;

  private Updaters() {}

  /**
   * Checks the arrays of a step.
   *
   * @throws IllegalArgumentException if the number of state vectors is not that of the optimiser,
   *     or the gradient ends before the range does
   */
  static void check(Updater updater, float[][] state, Range range, float[] gradientSum) {
    if (state.length != updater.stateVectors() || gradientSum.length < range.end()) {
      throw new IllegalArgumentException(
          "a step over "
              + range
              + " with "
              + gradientSum.length
              + " gradients and "
              + state.length
              + " state vectors: must be "
              + range.end()
              + " and "
              + updater.stateVectors());
    }
  }

  /** Returns the learning rate after {@code step} steps, rounded to float once. */
  static float rate(UpdaterSpec spec, LearningRateSchedule schedule, long step) {
    return (float) (spec.learningRate() * schedule.factor(step));
  }
}
