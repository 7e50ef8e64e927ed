package dev.braid.job.feed;

/**
 * The rotating hyperplane of Hulten, Spencer and Domingos, "Mining time-changing data streams", KDD
 * 2001. Each weight moves by a constant amount per sample; from time to time the directions of some
 * weights reverse.
 *
 * <p>The weights of a sample follow from those of the samples before it. They are kept for a block
 * of samples, so that samples in order cost nothing more.
 */
final class HyperplaneConcept implements Concept {

  static final String NAME = "hyperplane";

  private static final int BLOCK = 1_000;
  private static final double REVERSAL = 0.1;
  private static final int WEIGHTS = 1;
  private static final int DIRECTIONS = 2;

  private final long seed;
  private final double drift;

  /** Weights at the first sample of the block. */
  private final double[] weights;

  private final int[] directions;
  private long block;

  /**
   * Creates a hyperplane.
   *
   * @param drift change of each weight per sample
   */
  HyperplaneConcept(long seed, int features, double drift) {
    this.seed = seed;
    this.drift = drift;
    this.weights = new double[features];
    this.directions = new int[features];
    begin();
  }

  private void begin() {
    RecordRandom random = new RecordRandom(seed, WEIGHTS, 0);
    for (int i = 0; i < weights.length; i++) {
      weights[i] = random.uniform();
      directions[i] = random.isTrue(0.5) ? 1 : -1;
    }
    block = 0;
  }

  private void advanceTo(long wanted) {
    if (wanted < block) {
      begin();
    }
    while (block < wanted) {
      block++;
      RecordRandom random = new RecordRandom(seed, DIRECTIONS, block);
      for (int i = 0; i < weights.length; i++) {
        weights[i] += BLOCK * drift * directions[i];
        directions[i] = random.isTrue(REVERSAL) ? -directions[i] : directions[i];
      }
    }
  }

  /** Returns the weights, {@code double[features]}, at a sample. */
  double[] weights(long id) {
    advanceTo(id / BLOCK);
    double moved = id % BLOCK * drift;
    double[] at = weights.clone();
    for (int i = 0; i < at.length; i++) {
      at[i] += moved * directions[i];
    }
    return at;
  }

  @Override
  public FeatureFields fields() {
    return FeatureFields.numbered();
  }

  @Override
  public float[] draw(RecordRandom random) {
    float[] features = new float[weights.length];
    for (int i = 0; i < features.length; i++) {
      features[i] = random.uniformFloat();
    }
    return features;
  }

  @Override
  public boolean isPositive(long id, float[] features) {
    double[] at = weights(id);
    double sum = 0;
    double all = 0;
    for (int i = 0; i < at.length; i++) {
      sum += at[i] * features[i];
      all += at[i];
    }
    return sum >= all / 2;
  }
}
