package dev.braid.job.scoring;

import dev.braid.learner.Samples;
import dev.braid.learner.Shape;
import dev.braid.learner.Targets;

/**
 * Samples whose numbers are divided by a constant, for rows of pixels from 0 to 255, as images are.
 */
record DividedSamples(Samples samples, int divisor) implements Samples {

  @Override
  public int size() {
    return samples.size();
  }

  @Override
  public Shape shape() {
    return samples.shape();
  }

  @Override
  public void copyFeatures(int id, float[] into, int offset) {
    samples.copyFeatures(id, into, offset);
    for (int i = offset; i < offset + shape().features(); i++) {
      into[i] /= divisor;
    }
  }

  @Override
  public int label(int id) {
    return samples.label(id);
  }

  @Override
  public Targets targets(int[] ids) {
    return samples.targets(ids);
  }
}
