package dev.braid.job.feed;

/**
 * Names of the features in a JSON record.
 *
 * @param name name of the array of all features; or, without an array, the prefix of the features'
 *     names, which a number from 1 follows
 * @param isArray whether all features are in one array
 */
record FeatureFields(String name, boolean isArray) {

  /** Returns a single field: an array of all features. */
  static FeatureFields array(String name) {
    return new FeatureFields(name, true);
  }

  /** Returns a field for each feature: {@code x1}, {@code x2} and so on. */
  static FeatureFields numbered() {
    return new FeatureFields("x", false);
  }
}
