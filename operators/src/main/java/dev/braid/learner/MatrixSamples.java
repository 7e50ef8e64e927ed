package dev.braid.learner;

/** Samples in one matrix of floats, a row each. */
public final class MatrixSamples implements Samples {

  private final float[] values;
  private final int[] labels;
  private final Shape shape;
  private final int features;

  /**
   * The samples of a matrix.
   *
   * @param values sample after sample; not copied
   * @param labels a class for each sample; not copied
   */
  public MatrixSamples(float[] values, int[] labels, Shape shape) {
    this.values = values;
    this.labels = labels;
    this.shape = shape;
    this.features = shape.features();
  }

  @Override
  public int size() {
    return labels.length;
  }

  @Override
  public Shape shape() {
    return shape;
  }

  @Override
  public void copyFeatures(int id, float[] into, int offset) {
    System.arraycopy(values, id * features, into, offset, features);
  }

  @Override
  public int label(int id) {
    return labels[id];
  }
}
