package dev.braid.run.scoring;

import java.io.Serializable;
import java.util.Optional;

/**
 * Finds what decides whether the canary scores a record. It travels with the job.
 *
 * @param <T> the records
 */
@FunctionalInterface
public interface RecordKey<T> extends Serializable {

  /**
   * Returns the key of a record; empty if its features decide.
   *
   * @throws dev.braid.connectors.record.InvalidRecordException if the record should have a key and
   *     has none
   */
  Optional<byte[]> of(T record);

  /** Has features decide. */
  static <T> RecordKey<T> none() {
    return record -> Optional.empty();
  }
}
