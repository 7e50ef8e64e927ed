package dev.braid.learner.optimiser;

/**
 * An optimiser's steps: the change of the weights by gradients. A step is element-wise, and can
 * therefore be taken over any range as soon as that range's gradient is known, without the rest of
 * the vector. An updater belongs to one thread.
 */
public interface Updater {

  /** Returns the number of state vectors that this optimiser keeps. */
  int stateVectors();

  /**
   * Takes a step. It does not change the step's sum, which the exchange may still send to other
   * ranks.
   *
   * @param weights all weights; changed over the step's range
   * @param state {@link #stateVectors()} vectors of equal length, which cover the step's range;
   *     changed over that range
   * @param offset index of the weight to which the first element of each state vector belongs
   */
  void step(float[] weights, float[][] state, int offset, Step step);

  /**
   * Updates the state as a single step does, with the same bits, but takes no step. A rank that
   * keeps a copy of another rank's state calls this. The state of an optimiser depends only on
   * gradients, not on weights.
   *
   * @param state as for a step
   * @param offset as for a step
   */
  default void remember(float[][] state, int offset, Step step) {
    if (stateVectors() > 0) {
      throw new UnsupportedOperationException(
          "the state of " + this + " cannot change without a step");
    }
  }
}
