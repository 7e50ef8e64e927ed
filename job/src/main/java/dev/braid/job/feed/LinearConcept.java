package dev.braid.job.feed;

/** A constant linear model of features from the standard normal distribution. */
final class LinearConcept implements Concept {

  static final String NAME = "linear";

  private static final int WEIGHTS = 1;

  private final double[] weights;

  /** Creates a model whose weights are drawn from the standard normal distribution. */
  LinearConcept(long seed, int features) {
    RecordRandom random = new RecordRandom(seed, WEIGHTS, 0);
    weights = new double[features];
    for (int i = 0; i < features; i++) {
      weights[i] = random.gaussian();
    }
  }

  @Override
  public FeatureFields fields() {
    return FeatureFields.array("x");
  }

  @Override
  public float[] draw(RecordRandom random) {
    float[] features = new float[weights.length];
    for (int i = 0; i < features.length; i++) {
      features[i] = (float) random.gaussian();
    }
    return features;
  }

  @Override
  public boolean isPositive(long id, float[] features) {
    double sum = 0;
    for (int i = 0; i < weights.length; i++) {
      sum += weights[i] * features[i];
    }
    return sum >= 0;
  }
}
