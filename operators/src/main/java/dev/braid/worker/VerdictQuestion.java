package dev.braid.worker;

import dev.braid.learner.Learner;
import dev.braid.loop.coordinator.LoopEvent;
import java.util.List;

/**
 * A rank asks whether training stops after an epoch.
 *
 * @param view the number of the view that the rank is told to be in
 * @param score of its share of the test set
 * @param absent other ranks that it goes on without, as they cannot be reached
 */
record VerdictQuestion(long view, int epoch, Learner.Score score, List<Integer> absent) {

  /**
   * As it is told.
   *
   * @param qualitySum what epochs are compared by
   */
  LoopEvent.EpochScore withSum(double qualitySum) {
    return new LoopEvent.EpochScore(view, epoch, qualitySum, score.samples(), absent);
  }
}
