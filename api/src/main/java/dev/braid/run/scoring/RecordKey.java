package dev.braid.run.scoring;

import java.io.Serializable;
import java.util.Optional;

/**
 * Selects the key that decides whether the canary scores a record. It is serialized with the job.
 *
 * @param <T> type of the records
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

  /** Returns a selector without keys: features decide. */
  static <T> RecordKey<T> none() {
    return record -> Optional.empty();
  }
}
