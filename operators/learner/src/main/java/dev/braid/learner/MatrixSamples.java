package dev.braid.learner;

/** Samples in one matrix of floats, one row per sample. */
public final class MatrixSamples implements Samples {

  private final float[] values;
  private final Targets targets;
  private final Shape shape;
  private final int features;

  /**
   * Creates samples with one class each.
   *
   * @param values sample after sample; not copied
   * @param labels one class per sample; not copied
   */
  public MatrixSamples(float[] values, int[] labels, Shape shape) {
    this(values, new Targets.Classes(labels), shape);
  }

  /**
   * Creates samples with classes or values.
   *
   * @param values sample after sample; not copied
   * @param targets the class or the values that a model should predict for each sample
   */
  public MatrixSamples(float[] values, Targets targets, Shape shape) {
    this.values = values;
    this.targets = targets;
    this.shape = shape;
    this.features = shape.features();
  }

  @Override
  public int size() {
    return targets.size();
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
    if (targets instanceof Targets.Classes classes) {
      return classes.labels()[id];
    }
    throw new IllegalStateException("samples with values have no classes");
  }

  @Override
  public Targets targets(int[] ids) {
    return targets.at(ids);
  }
}
