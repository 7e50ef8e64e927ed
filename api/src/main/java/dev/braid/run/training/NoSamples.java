package dev.braid.run.training;

import dev.braid.learner.Samples;
import dev.braid.learner.Shape;

/** Empty set of samples, on which a model is evaluated at the end of a window of a stream. */
record NoSamples(Shape shape) implements Samples {

  @Override
  public int size() {
    return 0;
  }

  @Override
  public void copyFeatures(int id, float[] into, int offset) {
    throw new IndexOutOfBoundsException(id);
  }

  @Override
  public int label(int id) {
    throw new IndexOutOfBoundsException(id);
  }
}
