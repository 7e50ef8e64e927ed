package dev.braid.connectors.file;

import java.util.List;

/** Samples as numbers for a model, one after the other. */
public interface SampleInput {

  /**
   * Writes the next sample's numbers into zeros.
   *
   * @return false where there is none
   * @throws InvalidSampleException if the sample is malformed, and another one may come
   */
  boolean next(float[] into);

  /** Returns a sentence for each text that no training row had, new since the last call. */
  default List<String> newUnknownTexts() {
    return List.of();
  }

  /** Returns how often there were texts that no training row had, where that was repeatedly. */
  default List<String> unknownTexts() {
    return List.of();
  }
}
