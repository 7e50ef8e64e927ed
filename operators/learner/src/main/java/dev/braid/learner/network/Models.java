package dev.braid.learner.network;

import dev.braid.learner.InvalidModelException;
import dev.braid.learner.Shape;
import dev.braid.learner.model.ModelSpec;

/** Factory of models that fit their data. */
public final class Models {

  private Models() {}

  /**
   * Returns the model of a preset or a file, checked against the data.
   *
   * @param model a preset's name, a Deeplearning4j JSON configuration, a saved model (zip), or an
   *     ONNX model
   * @param shape the shape of the samples
   * @param seed seed of the random initial weights; it replaces a configuration's seed
   * @throws InvalidModelException if the model cannot be read, does not fit the data, or cannot be
   *     trained faithfully by parallel workers
   */
  public static ModelSpec of(String model, Shape shape, long seed) {
    ModelSpec spec = ModelSpec.untried(model, shape, seed);
    if (!ModelSpec.isPreset(model)) {
      Learners.create(spec, shape).close();
    }
    return spec;
  }
}
