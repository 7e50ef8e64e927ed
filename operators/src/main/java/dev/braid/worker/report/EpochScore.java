package dev.braid.worker.report;

import dev.braid.learner.Learner;

/**
 * What a rank has found out about the model at the end of an epoch.
 *
 * @param share of the test set
 * @param score on that share
 */
public record EpochScore(TestShare share, Learner.Score score) {

  /** Of a rank without which others have evaluated the epoch. */
  public static final EpochScore NONE = new EpochScore(TestShare.NONE, Learner.Score.NONE);
}
