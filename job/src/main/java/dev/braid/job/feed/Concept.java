package dev.braid.job.feed;

/** A rule that draws the features of a sample and determines its class, 0 or 1. */
interface Concept {

  /** Returns the names of the features in records. */
  FeatureFields fields();

  /** Returns the features of a sample. */
  float[] draw(RecordRandom random);

  /**
   * Returns whether a sample is of class 1, before noise.
   *
   * @param id the sample's number, from 0
   */
  boolean isPositive(long id, float[] features);
}
