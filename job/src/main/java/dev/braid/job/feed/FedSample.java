package dev.braid.job.feed;

/**
 * A sample.
 *
 * @param id the sample's number, from 0
 * @param features finite numbers; not copied
 */
record FedSample(long id, float[] features, Label label) {

  /** The value or class that a model is to predict. */
  sealed interface Label {}

  /** A class whose name is a whole number. */
  record NumberedClass(long number) implements Label {}

  /** A class with any other name. */
  record NamedClass(String name) implements Label {}

  /**
   * Numbers of a regression.
   *
   * @param values at least one finite number; not copied
   */
  record Values(float[] values) implements Label {}
}
