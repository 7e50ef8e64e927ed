package dev.braid.learner;

import java.io.Serializable;

/**
 * All that is between a gradient and the weights.
 *
 * @param updater the steps, with their learning rate
 * @param schedule what becomes of the learning rate
 * @param clipping what becomes of gradients that are too large
 */
public record Optimiser(UpdaterSpec updater, LearningRateSchedule schedule, Clipping clipping)
    implements Serializable {

  /** An optimiser with one learning rate, that takes gradients as they are. */
  public static Optimiser of(UpdaterSpec updater) {
    return new Optimiser(updater, LearningRateSchedule.CONSTANT, Clipping.NONE);
  }

  /** One worker's; of the same settings, the same gradients make the same steps. */
  public Updater create() {
    return clipping.around(updater.create(schedule));
  }

  /** The optimiser in words, which differ where settings do. */
  public String describe() {
    StringBuilder words = new StringBuilder(updater.describe());
    if (!schedule.equals(LearningRateSchedule.CONSTANT)) {
      words.append(", ").append(schedule);
    }
    if (!clipping.equals(Clipping.NONE)) {
      words.append(", ").append(clipping);
    }
    return words.toString();
  }
}
