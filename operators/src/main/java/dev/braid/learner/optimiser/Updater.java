package dev.braid.learner.optimiser;

import dev.braid.vector.Range;
import dev.braid.vector.Vectors;

/**
 * An optimiser's step: the change of the weights by a gradient. It is element-wise, and can
 * therefore be taken over any range as soon as that range's gradient is known, without the rest of
 * the vector.
 */
public interface Updater {

  /**
   * Returns the number of state vectors, each as long as the weights, that this optimiser keeps.
   */
  int stateVectors();

  /**
   * Takes a step over a range.
   *
   * @param weights all weights; changed over the range
   * @param state {@link #stateVectors()} vectors of the weights' length; changed over the range
   * @param gradientSum sum of the samples' gradients, at the indices of the weights: the JIT
   *     compiler vectorises a loop with one index, but not a loop whose arrays have different
   *     indices, because one element's result might be the next one's operand
   * @param samples number of samples in the sum
   * @param step number of steps that this range has taken before
   */
  void step(
      float[] weights, float[][] state, Range range, float[] gradientSum, long samples, long step);

  /**
   * Returns this optimiser for a caller that takes steps over one range of the weights only, and
   * keeps only the state of that range: its state vectors have the range's length, and index 0 is
   * the range's start.
   *
   * @param kept the range of all steps
   */
  default Updater over(Range kept) {
    return stateVectors() == 0 ? this : new ShardUpdater(this, kept);
  }

  /**
   * Returns this optimiser for a caller that holds only a part of the weights: index 0 of weights,
   * state and gradients is the part's start. It computes the same bits over the part as this
   * optimiser.
   *
   * @param part range of the weights
   */
  default Updater within(Range part) {
    return this;
  }

  /**
   * Updates the state as a step does, but takes no step. A rank that keeps a copy of another rank's
   * state calls this. The state of an optimiser depends only on gradients, not on weights.
   *
   * @param gradientSum as for a step, at the indices of the state
   * @param step number of steps taken before
   */
  default void remember(
      float[][] state, Range range, float[] gradientSum, long samples, long step) {
    if (stateVectors() > 0) {
      throw new UnsupportedOperationException(
          "the state of " + this + " cannot change without a step");
    }
  }

  /**
   * Takes a step, and adds the same gradient sum to {@code total}, a vector of the weights' length.
   * Implementations of simple steps do both in one pass over memory.
   */
  default void stepAndAdd(
      float[] weights,
      float[][] state,
      Range range,
      float[] gradientSum,
      long samples,
      long step,
      float[] total) {
    step(weights, state, range, gradientSum, samples, step);
    Vectors.add(total, gradientSum, range);
  }

  /**
   * Takes several steps over a range at once, along the sum of as many gradients. The state of an
   * optimiser decays as much as if the gradients had come one by one. Otherwise gradients that
   * arrive late and summed would act for longer than gradients that arrive at once, and training
   * could become unstable.
   *
   * @param gradients number of steps, at least 1
   */
  default void steps(
      float[] weights,
      float[][] state,
      Range range,
      float[] gradientSum,
      long samples,
      int gradients,
      long step) {
    step(weights, state, range, gradientSum, samples, step);
  }
}
