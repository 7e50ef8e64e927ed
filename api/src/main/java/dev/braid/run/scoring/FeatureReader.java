package dev.braid.run.scoring;

import dev.braid.learner.Shape;

/**
 * Reads the features of records for one version of a model. An instance belongs to one thread.
 *
 * @param <T> the records
 */
public interface FeatureReader<T> {

  /** Returns the shape of the samples. */
  Shape shape();

  /**
   * Writes the features of a record as the model was trained on them.
   *
   * @param into gets {@code shape().features()} numbers from the offset on; undefined if this fails
   * @throws dev.braid.connectors.record.InvalidRecordException if the record is no sample
   */
  void read(T record, float[] into, int offset);
}
