package dev.braid.learner.optimiser;

import dev.braid.vector.Range;
import dev.braid.vector.Vectors;

/**
 * The optimiser's step: how a gradient changes the weights. Element-wise, so that it can be taken
 * over any range as its gradient comes, without the rest of the vector.
 */
public interface Updater {

  /** How many vectors of the weights' length this optimiser keeps as its state. */
  int stateVectors();

  /**
   * Takes a step over a range.
   *
   * @param weights all weights; changed over the range
   * @param state {@link #stateVectors()} vectors of the weights' length; changed over the range
   * @param gradientSum sum of the samples' gradients, at the indices of the weights: the JIT
   *     compiler makes vector instructions of a loop with one index, and none where the arrays'
   *     differ, as for all it knows one element's result could be the next one's operand
   * @param samples how many samples the sum is over
   * @param step how many steps this range has taken before
   */
  void step(
      float[] weights, float[][] state, Range range, float[] gradientSum, long samples, long step);

  /**
   * The same optimiser for who takes steps over a part of the weights only, and keeps the state of
   * no more: its state vectors have the range's length, and begin with its start.
   *
   * @param kept the range that all steps are over
   */
  default Updater over(Range kept) {
    return stateVectors() == 0 ? this : new ShardUpdater(this, kept);
  }

  /**
   * The same optimiser for who has nothing but a part of the weights: weights, state and gradients
   * begin with the part's start, at index 0. It makes the bits over the part that this one makes.
   *
   * @param part of the weights
   */
  default Updater within(Range part) {
    return this;
  }

  /**
   * Does to the state what a step does to it, and takes no step: for who keeps a copy of another's
   * state. What an optimiser remembers depends on gradients alone, and on no weight.
   *
   * @param gradientSum as of a step, and at the indices of the state
   * @param step how many steps have been taken before
   */
  default void remember(
      float[][] state, Range range, float[] gradientSum, long samples, long step) {
    if (stateVectors() > 0) {
      throw new UnsupportedOperationException(
          "the state of " + this + " cannot change without a step");
    }
  }

  /**
   * Takes a step, and adds the same gradients to a vector of the weights' length. What takes a
   * simple step does both in one pass over memory.
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
   * Takes several steps over a range at once, along the sum of as many gradients: an optimiser that
   * remembers forgets as much as if they had come one by one. What comes late and added up would
   * otherwise go on for longer than what comes at once, and training that is stable with the one
   * would not be with the other.
   *
   * @param gradients how many steps, at least 1
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
