package dev.braid.job.feed;

import java.util.OptionalLong;

/** Source of samples in a fixed order. An instance is used by one thread. */
interface FeedSource {

  /** Returns the names of the features in records. */
  FeatureFields fields();

  /** Returns the number of samples; empty for an endless source. */
  OptionalLong size();

  /**
   * Returns the next sample. The first one has the id 0.
   *
   * @throws IllegalStateException if no sample is left
   */
  FedSample next();
}
