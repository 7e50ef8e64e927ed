package dev.braid.connectors.file;

import java.util.List;

/** Samples as numbers for a model, one after the other. */
public interface SampleInput {

  /**
   * Writes the next sample's numbers to an array of zeros.
   *
   * @return false if there are no more samples
   * @throws InvalidSampleException if the sample is malformed, and another one may follow
   */
  boolean next(float[] into);

  /**
   * Returns a sentence for each text that no training row had, and that is new since the last call.
   */
  default List<String> newUnknownTexts() {
    return List.of();
  }

  /**
   * Returns sentences with the numbers of texts that no training row had, if they were repeated.
   */
  default List<String> unknownTexts() {
    return List.of();
  }
}
