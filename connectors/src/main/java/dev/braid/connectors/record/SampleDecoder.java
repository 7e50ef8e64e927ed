package dev.braid.connectors.record;

import javax.annotation.Nullable;

/** Decodes the records of a topic as samples, one by one. An instance belongs to one thread. */
public interface SampleDecoder {

  /** Outcome of a valid record. */
  enum Outcome {
    /** A sample to train on. */
    TRAIN,

    /** A sample that is only scored, by the hash of its key. */
    HELD_OUT,

    /**
     * Not a sample: a value is missing and such records are omitted, or the record deletes a key.
     */
    LEFT_OUT
  }

  /**
   * Decodes a record. The numbers that it writes are meaningful only if the record is a sample.
   *
   * @param key the record's key, if it has one
   * @param value the record's value; null if it deletes the key
   * @param features receives the numbers of the sample, {@code shape().features()} from {@code
   *     offset} on
   * @param offset index of the sample's first number
   * @param targets receives the class of the sample, or its scaled values
   * @param targetOffset index of the class or of the first value
   * @param weights receives the weight of the sample; unchanged if records have no weights
   * @param weightOffset index of the weight
   * @throws InvalidRecordException if the record is not a valid sample
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
