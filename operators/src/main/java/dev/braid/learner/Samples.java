package dev.braid.learner;

/**
 * A finite, indexed set of labelled samples. Instances are read-only and may be shared by threads.
 */
public interface Samples {

  /** How many samples there are. A sample's id is its index, from 0. */
  int size();

  /** What a sample looks like. */
  Shape shape();

  /** Copies the features of a sample, scaled as the learner wants them, row after row. */
  void copyFeatures(int id, float[] into, int offset);

  /** The class of a sample, from 0 to {@code shape().classes() - 1}. */
  int label(int id);

  /** The samples of these ids, in this order. */
  default Batch batch(int epoch, int[] ids, boolean lastOfEpoch) {
    int width = shape().features();
    float[] features = new float[ids.length * width];
    int[] labels = new int[ids.length];
    for (int i = 0; i < ids.length; i++) {
      copyFeatures(ids[i], features, i * width);
      labels[i] = label(ids[i]);
    }
    return new Batch(epoch, ids, features, labels, lastOfEpoch);
  }
}
