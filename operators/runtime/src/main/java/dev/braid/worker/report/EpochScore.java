package dev.braid.worker.report;

import dev.braid.learner.Learner;

/**
 * A rank's evaluation of the model at the end of an epoch.
 *
 * @param share the rank's share of the test set
 * @param score score on that share
 */
public record EpochScore(TestShare share, Learner.Score score) {

  /** The score of a rank without which others have evaluated the epoch. */
  public static final EpochScore NONE = new EpochScore(TestShare.NONE, Learner.Score.NONE);
}
