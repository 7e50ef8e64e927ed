package dev.braid.job.feed;

import java.util.OptionalLong;

/** Samples in a fixed order. An instance is used by one thread. */
interface FeedSource {

  /** Returns how records name the features. */
  FeatureFields fields();

  /** Returns the number of samples; empty if they never end. */
  OptionalLong size();

  /**
   * Returns the next sample. The first one has the id 0.
   *
   * @throws IllegalStateException if there is none
   */
  FedSample next();
}
