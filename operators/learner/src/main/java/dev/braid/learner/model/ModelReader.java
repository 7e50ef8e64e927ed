package dev.braid.learner.model;

import dev.braid.learner.InvalidModelException;
import dev.braid.learner.Shape;
import dev.braid.learner.onnx.reader.OnnxReader;
import dev.braid.learner.structure.ParameterOrder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;

/**
 * Reads model files: Deeplearning4j's JSON configurations and zips with weights, and ONNX files.
 */
final class ModelReader {

  private ModelReader() {}

  /**
   * Reads a model file of any supported kind.
   *
   * @param shape the shape of the samples, which determines the loss of an ONNX model
   */
  static ModelSpec read(Path file, Shape shape, long seed) {
    String name = file.toString();
    try {
      return OnnxReader.isOnnx(file) ? readOnnx(name, file, shape, seed) : read(name, file, seed);
    } catch (IOException e) {
      throw unreadable(name, e);
    }
  }

  /** Reads a Deeplearning4j file. */
  static ModelSpec read(String name, Path file, long seed) {
    try {
      KerasFile.refuse(name, file);
      if (OnnxReader.isOnnx(file)) {
        throw new InvalidModelException(
            "model "
                + name
                + ": is an ONNX model, which only training reads: use a saved MultiLayerNetwork "
                + "(zip)");
      }
      if (isZip(file)) {
        return readZip(name, file, seed);
      }
      if (Files.size(file) > ModelZip.MAX_CONFIGURATION_BYTES) {
        throw notAModel(
            name,
            "a configuration of more than " + ModelZip.MAX_CONFIGURATION_BYTES + " bytes",
            null);
      }
      return readConfiguration(name, Files.readString(file), seed);
    } catch (CharacterCodingException e) {
      throw notAModel(name, "not UTF-8", e);
    } catch (IOException e) {
      throw unreadable(name, e);
    }
  }

  private static InvalidModelException unreadable(String name, IOException e) {
    return new InvalidModelException(
        "model " + name + ": cannot be read: " + InvalidModelException.reason(e), e);
  }

  static MultiLayerConfiguration parse(String name, String json) {
    try {
      MultiLayerConfiguration configuration = MultiLayerConfiguration.fromJson(json);
      if (configuration != null) {
        return configuration;
      }
    } catch (RuntimeException e) {
      throw notAModel(name, InvalidModelException.reason(e), e);
    }
    throw notAModel(name, "empty", null);
  }

  /**
   * Parses and checks a configuration. Code that uses the result can rely on all required parts and
   * on faithful training.
   */
  private static MultiLayerConfiguration checked(String name, String json) {
    if (json.isBlank()) {
      throw notAModel(name, "empty", null);
    }
    ConfigurationText.check(name, json);
    MultiLayerConfiguration configuration = parse(name, json);
    ModelCheck.check(name, configuration);
    return configuration;
  }

  private static ModelSpec readConfiguration(String name, String json, long seed) {
    refuseGraph(name, json);
    MultiLayerConfiguration configuration = checked(name, json);
    var unused = ModelSize.parameters(name, configuration);
    for (NeuralNetConfiguration layer : configuration.getConfs()) {
      layer.setSeed(seed);
    }
    return new ModelSpec(name, configuration.toJson(), seed, new float[0], new float[0][], 0);
  }

  private static ModelSpec readOnnx(String name, Path file, Shape shape, long seed)
      throws IOException {
    OnnxReader.Network network = OnnxReader.read(name, file, shape, seed);
    MultiLayerConfiguration configuration = network.configuration();
    ModelCheck.check(name, configuration);
    if (network.parameters().length != ModelSize.parameters(name, configuration)) {
      throw new IllegalStateException("the parameters do not match " + configuration);
    }
    float[] weights =
        finite(
            name,
            "weight",
            ParameterOrder.of(configuration).fromDeeplearning4j(network.parameters()));
    return new ModelSpec(name, configuration.toJson(), seed, weights, new float[0][], 0);
  }

  private static ModelSpec readZip(String name, Path file, long seed) throws IOException {
    try (ModelZip zip = ModelZip.open(name, file)) {
      String json = zip.configuration();
      refuseGraph(name, json);
      MultiLayerConfiguration configuration = checked(name, json);
      int steps = configuration.getIterationCount();
      if (steps < 0) {
        throw new InvalidModelException(
            "model " + name + ": iterationCount " + steps + ": must be 0 or more");
      }
      int length = ModelSize.parameters(name, configuration);
      ParameterOrder order = ParameterOrder.of(configuration);
      float[] weights =
          finite(
              name, "weight", order.fromDeeplearning4j(zip.vector(ModelZip.COEFFICIENTS, length)));
      ModelSpec spec =
          new ModelSpec(name, configuration.toJson(), seed, weights, new float[0][], 0);
      return withUpdaterState(spec, zip, configuration, steps);
    }
  }

  /** Adds the optimiser's state if it is complete and Braid has that optimiser. */
  private static ModelSpec withUpdaterState(
      ModelSpec spec, ModelZip zip, MultiLayerConfiguration configuration, int steps) {
    int vectors;
    try {
      vectors = spec.updater().stateVectors();
    } catch (InvalidModelException e) {
      // This is a fault only if no other updater is configured; updater() reports it then.
      return spec;
    }
    if (vectors > 0 && !zip.has(ModelZip.UPDATER_STATE)) {
      return spec;
    }
    int length = spec.weights().length;
    float[][] state = new float[vectors][];
    if (vectors > 0) {
      UpdaterState layout = UpdaterState.of(configuration);
      float[] values =
          zip.vector(ModelZip.UPDATER_STATE, stateLength(spec.name(), vectors, layout));
      finite(spec.name(), "updater state", values);
      state = layout.fromDeeplearning4j(values, vectors, length);
    }
    return spec.with(spec.weights(), state, steps);
  }

  private static int stateLength(String name, int vectors, UpdaterState layout) {
    try {
      return layout.length(vectors);
    } catch (ArithmeticException e) {
      throw new InvalidModelException(
          "model " + name + ": updater state: too large for a Java array", e);
    }
  }

  /** Rejects infinite values and NaN: training that starts from one spreads it to all others. */
  private static float[] finite(String name, String what, float[] values) {
    for (int i = 0; i < values.length; i++) {
      if (!Float.isFinite(values[i])) {
        throw new InvalidModelException(
            "model %s: %s %d is %s: must be finite".formatted(name, what, i, values[i]));
      }
    }
    return values;
  }

  private static boolean isZip(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] magic = in.readNBytes(2);
      return magic.length == 2 && magic[0] == 'P' && magic[1] == 'K';
    }
  }

  private static void refuseGraph(String name, String json) {
    if (json.contains("\"vertexInputs\"")) {
      throw new InvalidModelException(
          "model " + name + ": is a ComputationGraph: must be a MultiLayerNetwork");
    }
  }

  private static InvalidModelException notAModel(String name, String reason, Throwable cause) {
    return new InvalidModelException(
        "model "
            + name
            + ": must be a Deeplearning4j MultiLayerConfiguration (JSON), a saved "
            + "MultiLayerNetwork (zip) or an ONNX model (.onnx): "
            + reason,
        cause);
  }
}
