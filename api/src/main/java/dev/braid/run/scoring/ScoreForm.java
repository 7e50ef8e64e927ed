package dev.braid.run.scoring;

import java.io.Serializable;
import java.util.List;

/**
 * Makes the value that an operator emits for a record and its score. It is serialized with the job.
 *
 * @param <T> type of the records
 * @param <O> type of the emitted values
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
