package dev.braid.learner.network;

import dev.braid.learner.InvalidModelException;
import dev.braid.learner.Shape;
import dev.braid.learner.math.NativeMath;
import dev.braid.learner.math.NativeVectors;
import dev.braid.learner.model.ModelInput;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.onnx.OnnxGraph;
import dev.braid.learner.onnx.OnnxLayers;
import dev.braid.learner.structure.ParameterOrder;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/** What a saved model says of samples, by Deeplearning4j. An instance belongs to one thread. */
public final class Classifier implements AutoCloseable {

  private final String name;
  private final MultiLayerNetwork network;
  private final ModelInput input;
  private final Shape shape;

  private Classifier(String name, MultiLayerNetwork network, ModelInput input, Shape shape) {
    this.name = name;
    this.network = network;
    this.input = input;
    this.shape = shape;
  }

  /**
   * A model with its weights.
   *
   * @throws InvalidModelException if it has none, or does not take such samples
   */
  public static Classifier of(ModelSpec spec, Shape shape) {
    NativeMath.useOneThread();
    if (spec.weights().length == 0) {
      throw new InvalidModelException(
          "model " + spec.name() + ": a configuration without weights: a saved model is needed");
    }
    // What does not fit is told here, and not by Deeplearning4j.
    Learners.create(spec, shape).close();
    MultiLayerConfiguration model = spec.parsed();
    MultiLayerNetwork network = Learners.network(spec, model);
    NativeVectors.put(ParameterOrder.of(model).toDeeplearning4j(spec.weights()), network.params());
    return new Classifier(spec.name(), network, ModelInput.of(spec, model, shape), shape);
  }

  /**
   * The outputs for some samples: with a softmax, the probability of each class.
   *
   * @param features sample after sample, as the model was trained on them
   * @return a row for each sample, with a number for each class; the caller closes it
   */
  public INDArray outputs(float[] features) {
    int rows = features.length / shape.features();
    if (rows < 1 || rows * shape.features() != features.length) {
      throw new IllegalArgumentException(
          features.length + " features in samples of " + shape.features());
    }
    return outputs(features, rows);
  }

  private INDArray outputs(float[] features, int rows) {
    float[] arranged = new float[rows * shape.features()];
    input.arrange(features, 0, rows, arranged);
    try (INDArray array = Nd4j.create(arranged, input.arrayShape(rows))) {
      INDArray outputs = network.output(array, false);
      INDArray copy = outputs.dup('c');
      if (outputs.closeable()) {
        outputs.close();
      }
      return copy;
    }
  }

  /** The outputs for some samples, one after the other. */
  public float[] scores(float[] features) {
    try (INDArray outputs = outputs(features)) {
      return NativeVectors.toArray(outputs);
    }
  }

  /**
   * Returns the outputs for the first samples of a buffer, one after the other.
   *
   * @param features at least {@code rows} samples
   * @param rows number of samples to score, at least 1
   */
  public float[] scores(float[] features, int rows) {
    try (INDArray outputs = outputs(features, rows)) {
      return NativeVectors.toArray(outputs);
    }
  }

  /**
   * Adds the model to an ONNX graph.
   *
   * @param features name of a tensor of samples, a row each, as the model was trained on them
   * @return name of the tensor of {@link #outputs}
   * @throws InvalidModelException if ONNX has no operators for a layer
   */
  public String addTo(OnnxGraph graph, String features) {
    return OnnxLayers.add(graph, name, network, input, features);
  }

  /** What samples look like, and how many classes there are. */
  public Shape shape() {
    return shape;
  }

  @Override
  public void close() {
    Learners.free(network);
  }
}
