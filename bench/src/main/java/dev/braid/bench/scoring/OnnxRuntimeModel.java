package dev.braid.bench.scoring;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.braid.learner.Shape;
import dev.braid.learner.network.Classifier;
import dev.braid.learner.onnx.OnnxGraph;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Map;

/**
 * A model in ONNX Runtime, used in the fastest way that its Java API offers: on the calling thread,
 * with tensors over direct buffers that are allocated once, and written and read in place.
 */
final class OnnxRuntimeModel implements AutoCloseable {

  private static final String FEATURES = "features";
  private static final String SCORES = "scores";

  private final OrtSession session;
  private final FloatBuffer features;
  private final FloatBuffer scores;
  private final Map<String, OnnxTensor> inputs;
  private final Map<String, OnnxTensor> outputs;

  /**
   * Loads a model for batches of a fixed size.
   *
   * @param rows number of samples in a batch
   */
  OnnxRuntimeModel(Classifier model, int rows) throws OrtException {
    Shape shape = model.shape();
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setExecutionMode(OrtSession.SessionOptions.ExecutionMode.SEQUENTIAL);
      options.setIntraOpNumThreads(1);
      options.setInterOpNumThreads(1);
      options.setOptimizationLevel(OrtSession.SessionOptions.OptLevel.ALL_OPT);
      this.session = environment.createSession(exported(model), options);
    }
    this.features = direct(rows * shape.features());
    this.scores = direct(rows * shape.outputs());
    this.inputs = Map.of(FEATURES, tensor(environment, features, rows, shape.features()));
    this.outputs = Map.of(SCORES, tensor(environment, scores, rows, shape.outputs()));
  }

  /** Returns the model as Braid exports it, without the preprocessing of samples. */
  private static byte[] exported(Classifier model) {
    OnnxGraph graph = new OnnxGraph();
    graph.input(FEATURES, OnnxGraph.Elements.FLOAT, model.shape().features());
    graph.node("Identity", model.addTo(graph, FEATURES)).addAs(SCORES);
    graph.output(SCORES, OnnxGraph.Elements.FLOAT, model.shape().outputs());
    return graph.toBytes("bench");
  }

  private static FloatBuffer direct(int length) {
    return ByteBuffer.allocateDirect(length * Float.BYTES)
        .order(ByteOrder.nativeOrder())
        .asFloatBuffer();
  }

  private static OnnxTensor tensor(
      OrtEnvironment environment, FloatBuffer buffer, int rows, int columns) throws OrtException {
    return OnnxTensor.createTensor(environment, buffer, new long[] {rows, columns});
  }

  /** Scores a batch. */
  float[] scores(float[] samples) {
    features.put(0, samples);
    try {
      session.run(inputs, outputs).close();
      float[] found = new float[scores.capacity()];
      scores.get(0, found);
      return found;
    } catch (OrtException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws OrtException {
    inputs.values().forEach(OnnxTensor::close);
    outputs.values().forEach(OnnxTensor::close);
    session.close();
  }
}
