package dev.braid.learner.layer;

import dev.braid.learner.Batch;
import dev.braid.learner.Features;

/**
 * Some samples of a batch on their way through a model's layers.
 *
 * @param first the index of the first sample
 * @param samples how many they are
 * @param training whether their gradient is wanted: some layers do something else then
 */
public record Pass(Batch batch, int first, int samples, boolean training) {

  private static final Batch NONE = new Batch(0, new int[0], Features.NONE, new int[0], false);

  /** All samples of a batch, on their way to a gradient. */
  public static Pass training(Batch batch) {
    return new Pass(batch, 0, batch.size(), true);
  }

  /** Samples without targets, to be scored. */
  public static Pass scoring(int samples) {
    return new Pass(NONE, 0, samples, false);
  }

  /** Some samples, to be classified. */
  public static Pass evaluation(Batch batch, int first, int samples) {
    return new Pass(batch, first, samples, false);
  }
}
