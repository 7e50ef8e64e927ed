package dev.braid.connectors.record;

import javax.annotation.Nullable;

/** Decodes the records of a topic as samples, one by one. Belongs to one thread. */
public interface SampleDecoder {

  /** Outcome of a valid record. */
  enum Outcome {
    /** A sample to train on. */
    TRAIN,

    /** A sample that is only scored: the hash of its key says so. */
    HELD_OUT,

    /** No sample: a value is missing, and such records are left out; or a deletion of a key. */
    LEFT_OUT
  }

  /**
   * Decodes a record. The numbers that it writes mean something only if the record is a sample.
   *
   * @param key the record's key, if it has one
   * @param value the record's value; null if it deletes the key
   * @param features gets the numbers of the sample, {@code shape().features()} from the offset on
   * @param offset where the sample's numbers begin
   * @param targets gets the class of the sample, or its values as they are scaled
   * @param targetOffset where the class or the values are
   * @param weights gets the weight of the sample; unchanged where records have none
   * @param weightOffset where the weight is
   * @throws InvalidRecordException if the record is no sample
   */
  Outcome decode(
      @Nullable byte[] key,
      @Nullable byte[] value,
      float[] features,
      int offset,
      float[] targets,
      int targetOffset,
      float[] weights,
      int weightOffset);
}
