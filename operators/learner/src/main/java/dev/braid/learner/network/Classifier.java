package dev.braid.learner.network;

import dev.braid.learner.InvalidModelException;
import dev.braid.learner.Shape;
import dev.braid.learner.math.NativeMath;
import dev.braid.learner.model.ModelInput;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.onnx.OnnxGraph;
import dev.braid.learner.onnx.OnnxLayers;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * Scores samples with a saved model: by Braid's own layers if the model consists of them, otherwise
 * by Deeplearning4j. An instance belongs to one thread.
 *
 * <p>Both give the same scores up to rounding. With Braid's own layers in Java's vectors, a
 * sample's scores have the same bits whatever batch it is in. With OpenBLAS, which computes where a
 * JVM has no fast vectors, and with Deeplearning4j, last bits may depend on the size of the batch.
 */
public final class Classifier implements AutoCloseable {

  private final ModelSpec spec;
  private final Shape shape;
  private final ScoringNetwork network;

  private Classifier(ModelSpec spec, Shape shape, ScoringNetwork network) {
    this.spec = spec;
    this.shape = shape;
    this.network = network;
  }

  /**
   * Loads a model with its weights.
   *
   * @throws InvalidModelException if the model has no weights, or does not accept such samples
   */
  public static Classifier of(ModelSpec spec, Shape shape) {
    NativeMath.useOneThread();
    if (spec.weights().length == 0) {
      throw new InvalidModelException(
          "model " + spec.name() + ": a configuration without weights; use a saved model");
    }
    // Checks the model, so that failures have Braid's messages instead of Deeplearning4j's.
    Learners.create(spec, shape).close();
    return new Classifier(spec, shape, Learners.scoring(spec, shape));
  }

  /**
   * Returns the outputs for some samples: with a softmax, the probability of each class.
   *
   * @param features sample after sample, preprocessed as for the model's training
   * @return one row per sample, with one number per output; the caller closes it
   */
  public INDArray outputs(float[] features) {
    float[] scores = scores(features);
    return Nd4j.create(scores, new long[] {scores.length / shape.outputs(), shape.outputs()});
  }

  /**
   * Returns the outputs for some samples, sample after sample.
   *
   * @param features sample after sample, preprocessed as for the model's training
   * @throws IllegalArgumentException if {@code features} is not a whole number of samples, or empty
   */
  public float[] scores(float[] features) {
    int rows = features.length / shape.features();
    if (rows < 1 || rows * shape.features() != features.length) {
      throw new IllegalArgumentException(
          features.length
              + " features: must be a multiple of "
              + shape.features()
              + ", those of a sample");
    }
    return network.scores(features, rows);
  }

  /**
   * Returns the outputs for the first {@code rows} samples of a buffer, sample after sample.
   *
   * @param features at least {@code rows} samples
   * @param rows number of samples to score, at least 1
   */
  public float[] scores(float[] features, int rows) {
    return network.scores(features, rows);
  }

  /**
   * Adds the model to an ONNX graph.
   *
   * @param features name of a tensor of samples, one row each, preprocessed as for the model's
   *     training
   * @return name of the tensor of {@link #outputs}
   * @throws InvalidModelException if ONNX has no operators for a layer
   */
  public String addTo(OnnxGraph graph, String features) {
    MultiLayerNetwork exported = Learners.weighted(spec);
    try {
      ModelInput input = ModelInput.of(spec, exported.getLayerWiseConfigurations(), shape);
      return OnnxLayers.add(graph, spec.name(), exported, input, features);
    } finally {
      Learners.free(exported);
    }
  }

  /** Returns the shape of a sample, and the number of outputs. */
  public Shape shape() {
    return shape;
  }

  @Override
  public void close() {
    network.close();
  }
}
