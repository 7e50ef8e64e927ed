package dev.braid.learner.optimiser;

import dev.braid.vector.Range;

/**
 * An optimiser whose state covers only a part of the weights. Optimiser loops use one index for
 * weights, state and gradient ({@link Updater#step}), and here these indices differ. Therefore one
 * block of each at a time is copied to common indices, in arrays that stay in the first-level
 * cache.
 */
final class ShardUpdater implements Updater {

  /**
   * Elements per block. For Adam, the four arrays of a block and their sources take 32 kB, the size
   * of a common first-level cache.
   */
  private static final int BLOCK = Updaters.BLOCK / 2;

  private final Updater updater;
  private final Range kept;

  private final float[] someWeights = new float[BLOCK];
  private final float[] someGradients = new float[BLOCK];
  private final float[][] someState;

  /**
   * @param updater takes the steps, element by element, at any indices
   * @param kept the range of the weights that the state covers
   */
  ShardUpdater(Updater updater, Range kept) {
    this.updater = updater;
    this.kept = kept;
    this.someState = new float[updater.stateVectors()][BLOCK];
  }

  @Override
  public int stateVectors() {
    return updater.stateVectors();
  }

  @Override
  public Updater over(Range other) {
    return updater.over(other);
  }

  @Override
  public Updater within(Range part) {
    return updater.within(part);
  }

  @Override
  public void step(
      float[] weights, float[][] state, Range range, float[] gradientSum, long samples, long step) {
    steps(weights, state, range, gradientSum, samples, 1, step);
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
    if (!kept.contains(range)) {
      throw new IllegalArgumentException(
          "a step over " + range + ": must be within " + kept + ", which has state");
    }
    for (int i = 0; i < range.chunks(BLOCK); i++) {
      Range block = range.chunk(i, BLOCK);
      int at = block.start() - kept.start();
      int length = block.length();
      System.arraycopy(weights, block.start(), someWeights, 0, length);
      System.arraycopy(gradientSum, block.start(), someGradients, 0, length);
      for (int v = 0; v < someState.length; v++) {
        System.arraycopy(state[v], at, someState[v], 0, length);
      }
      Range here = Range.ofLength(length);
      updater.steps(someWeights, someState, here, someGradients, samples, gradients, step);
      System.arraycopy(someWeights, 0, weights, block.start(), length);
      for (int v = 0; v < someState.length; v++) {
        System.arraycopy(someState[v], 0, state[v], at, length);
      }
    }
  }
}
