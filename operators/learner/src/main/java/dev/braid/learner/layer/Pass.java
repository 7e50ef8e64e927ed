package dev.braid.learner.layer;

import dev.braid.learner.Batch;
import dev.braid.learner.Features;

/**
 * Some samples of a batch in their pass through a model's layers.
 *
 * @param first index of the first sample
 * @param samples number of samples
 * @param training whether a gradient is computed, for which some layers behave differently
 */
public record Pass(Batch batch, int first, int samples, boolean training) {

  private static final Batch NONE = new Batch(0, new int[0], Features.NONE, new int[0], false);

  /** Returns a pass of all samples of a batch to compute a gradient. */
  public static Pass training(Batch batch) {
    return new Pass(batch, 0, batch.size(), true);
  }

  /** Returns a pass of samples without targets, to be scored. */
  public static Pass scoring(int samples) {
    return new Pass(NONE, 0, samples, false);
  }

  /** Returns a pass of some samples, to be evaluated. */
  public static Pass evaluation(Batch batch, int first, int samples) {
    return new Pass(batch, first, samples, false);
  }
}
