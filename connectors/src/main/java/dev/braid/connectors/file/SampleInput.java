package dev.braid.connectors.file;

import java.util.List;

/** Samples as numbers for a model, one after the other. */
public interface SampleInput {

  /** The next sample's numbers, into zeros; false where there is none. */
  boolean next(float[] into);

  /** What there is to say of texts that no training row had. */
  default List<String> unknownTexts() {
    return List.of();
  }
}
