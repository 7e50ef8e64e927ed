package dev.braid.learner.optimiser;

import dev.braid.vector.Range;

/**
 * What the optimisers have in common. A step of each is one pass over weights, state and gradient,
 * in loops that the JIT compiler turns into vector instructions.
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
  static final int BLOCK = 2048;

  private Updaters() {}

  /** Refuses a step for which there is too little state or gradient. */
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

  /** The learning rate after so many steps, rounded once. */
  static float rate(UpdaterSpec spec, LearningRateSchedule schedule, long step) {
    return (float) (spec.learningRate() * schedule.factor(step));
  }
}
