package dev.braid.run.scoring;

import java.io.Serializable;
import java.util.List;

/**
 * Makes what an operator emits for a record and its score. It travels with the job.
 *
 * @param <T> the records
 * @param <O> what an operator that scores them emits
 */
@FunctionalInterface
public interface ScoreForm<T, O> extends Serializable {

  /**
   * Combines a record with its score.
   *
   * @param names names of the scores: of classes or of values; those of values may be empty
   */
  O of(T record, RecordScore score, List<String> names);
}
