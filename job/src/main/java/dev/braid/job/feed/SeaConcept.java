package dev.braid.job.feed;

/**
 * The SEA concepts of Street and Kim, "A streaming ensemble algorithm (SEA) for large-scale
 * classification", KDD 2001: the sum of the first two of three features determines the class. The
 * threshold changes abruptly.
 *
 * @param every number of samples of each threshold
 */
record SeaConcept(long every) implements Concept {

  static final String NAME = "sea";

  private static final double[] THRESHOLDS = {8, 9, 7, 9.5};
  private static final int FEATURES = 3;
  private static final float GREATEST = 10;

  @Override
  public FeatureFields fields() {
    return FeatureFields.numbered();
  }

  @Override
  public float[] draw(RecordRandom random) {
    float[] features = new float[FEATURES];
    for (int i = 0; i < FEATURES; i++) {
      features[i] = GREATEST * random.uniformFloat();
    }
    return features;
  }

  @Override
  public boolean isPositive(long id, float[] features) {
    double threshold = THRESHOLDS[(int) (id / every % THRESHOLDS.length)];
    return (double) features[0] + features[1] <= threshold;
  }
}
