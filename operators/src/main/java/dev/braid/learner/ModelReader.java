package dev.braid.learner;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.util.ModelSerializer;
import org.nd4j.linalg.api.ndarray.INDArray;

/** Reads Deeplearning4j's two kinds of model files: JSON configurations and zips with weights. */
final class ModelReader {

  /** Configurations have some hundred bytes a layer; a forged zip unpacks to gigabytes. */
  private static final int MAX_CONFIGURATION_BYTES = 16 << 20;

  private ModelReader() {}

  static ModelSpec read(Path file, long seed) {
    String name = file.toString();
    try {
      if (isZip(file)) {
        return readZip(name, file, seed);
      }
      checkSize(name, Files.size(file));
      return readConfiguration(name, Files.readString(file), seed);
    } catch (CharacterCodingException e) {
      throw notAModel(name, "not UTF-8", e);
    } catch (IOException e) {
      throw new InvalidModelException(
          "model " + name + ": cannot be read: " + InvalidModelException.reason(e), e);
    }
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

  /** What is there can be trained faithfully; other code then finds all that it needs. */
  private static MultiLayerConfiguration checked(String name, String json) {
    MultiLayerConfiguration configuration = parse(name, json);
    ModelCheck.check(name, configuration);
    return configuration;
  }

  private static ModelSpec readConfiguration(String name, String json, long seed) {
    refuseGraph(name, json);
    MultiLayerConfiguration configuration = checked(name, json);
    for (NeuralNetConfiguration layer : configuration.getConfs()) {
      layer.setSeed(seed);
    }
    return new ModelSpec(name, configuration.toJson(), seed, new float[0], new float[0][], 0);
  }

  private static ModelSpec readZip(String name, Path file, long seed) throws IOException {
    String json = configurationOf(name, file);
    refuseGraph(name, json);
    int steps = checked(name, json).getIterationCount();
    if (steps < 0) {
      throw new InvalidModelException(
          "model " + name + ": iterationCount " + steps + ": 0 or more is needed");
    }
    MultiLayerNetwork network;
    try {
      network = ModelSerializer.restoreMultiLayerNetwork(file.toFile(), true);
    } catch (RuntimeException e) {
      throw notAModel(name, InvalidModelException.reason(e), e);
    }
    MultiLayerConfiguration configuration = network.getLayerWiseConfigurations();
    float[] weights =
        ParameterOrder.of(configuration)
            .fromDeeplearning4j(NativeVectors.toArray(network.params()));
    checkFinite(name, "weight", weights);
    ModelSpec spec = new ModelSpec(name, configuration.toJson(), seed, weights, new float[0][], 0);
    return withUpdaterState(spec, network, file);
  }

  /** Adds the optimiser's state, if it is whole and Braid has that optimiser. */
  private static ModelSpec withUpdaterState(ModelSpec spec, MultiLayerNetwork network, Path file)
      throws IOException {
    int vectors;
    try {
      vectors = spec.updater().create().stateVectors();
    } catch (InvalidModelException e) {
      // Whether that matters depends on whether another updater is asked for; updater() tells.
      return spec;
    }
    if (vectors > 0 && !hasEntry(file, ModelSerializer.UPDATER_BIN)) {
      return spec;
    }
    int length = spec.weights().length;
    float[][] state = new float[vectors][];
    if (vectors > 0) {
      INDArray flat = network.getUpdater().getStateViewArray();
      if (flat.length() != (long) vectors * length) {
        throw notAModel(
            spec.name(),
            flat.length() + " numbers of updater state for " + length + " weights",
            null);
      }
      // One updater block, since all layers have the same updater: one vector after the other.
      float[] values = NativeVectors.toArray(flat);
      checkFinite(spec.name(), "updater state", values);
      ParameterOrder order = ParameterOrder.of(network.getLayerWiseConfigurations());
      for (int i = 0; i < vectors; i++) {
        state[i] =
            order.fromDeeplearning4j(Arrays.copyOfRange(values, i * length, (i + 1) * length));
      }
    }
    return spec.with(
        spec.weights(), state, network.getLayerWiseConfigurations().getIterationCount());
  }

  /** Training from such a number would make all others like it. */
  private static void checkFinite(String name, String what, float[] values) {
    for (int i = 0; i < values.length; i++) {
      if (!Float.isFinite(values[i])) {
        throw new InvalidModelException(
            "model %s: %s %d is %s: finite numbers are needed".formatted(name, what, i, values[i]));
      }
    }
  }

  private static boolean isZip(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] magic = in.readNBytes(2);
      return magic.length == 2 && magic[0] == 'P' && magic[1] == 'K';
    }
  }

  private static String configurationOf(String name, Path file) throws IOException {
    try (ZipFile zip = new ZipFile(file.toFile())) {
      ZipEntry entry = zip.getEntry(ModelSerializer.CONFIGURATION_JSON);
      if (entry == null) {
        throw notAModel(name, "no " + ModelSerializer.CONFIGURATION_JSON + " in it", null);
      }
      byte[] json = zip.getInputStream(entry).readNBytes(MAX_CONFIGURATION_BYTES + 1);
      checkSize(name, json.length);
      return new String(json, StandardCharsets.UTF_8);
    }
  }

  private static void checkSize(String name, long bytes) {
    if (bytes > MAX_CONFIGURATION_BYTES) {
      throw notAModel(
          name, "a configuration of more than " + MAX_CONFIGURATION_BYTES + " bytes", null);
    }
  }

  private static boolean hasEntry(Path file, String name) throws IOException {
    try (ZipFile zip = new ZipFile(file.toFile())) {
      return zip.getEntry(name) != null;
    }
  }

  private static void refuseGraph(String name, String json) {
    if (json.contains("\"vertexInputs\"")) {
      throw new InvalidModelException(
          "model " + name + ": a ComputationGraph: a MultiLayerNetwork is needed");
    }
  }

  private static InvalidModelException notAModel(String name, String reason, Throwable cause) {
    return new InvalidModelException(
        "model "
            + name
            + ": a Deeplearning4j MultiLayerConfiguration (JSON) or saved MultiLayerNetwork (zip) is"
            + " needed: "
            + reason,
        cause);
  }
}
