package dev.braid.connectors;

import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.model.ModelZipWriter;
import dev.braid.learner.optimiser.UpdaterSpec;
import dev.braid.learner.structure.ParameterOrder;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;

/**
 * Trained models as files in Deeplearning4j's own format: {@code MultiLayerNetwork.load(file,
 * true)} reads them, and {@code fit} continues training with the optimiser's state.
 */
public final class ModelFiles {

  private ModelFiles() {}

  /**
   * Writes a model. To have a complete file or none, use the stream of {@link
   * dev.braid.files.WholeFile}.
   *
   * @param weights all weights, in {@link ParameterOrder}
   * @param updaterState the optimiser's vectors, each of the weights' length
   * @param steps number of steps that the optimiser has taken
   */
  public static void write(
      OutputStream out,
      ModelSpec model,
      float[] weights,
      float[][] updaterState,
      long steps,
      UpdaterSpec updater)
      throws IOException {
    ModelZipWriter.write(out, configuration(model, steps, updater), weights, updaterState);
  }

  /**
   * Reads a saved model, with its optimiser's state.
   *
   * @throws dev.braid.learner.InvalidModelException if it cannot be read, or cannot be trained
   *     faithfully by parallel workers
   */
  public static ModelSpec load(Path path) {
    return ModelSpec.read(path, 0);
  }

  /**
   * Reads a saved model from memory, through a temporary file.
   *
   * @param name name of the model in messages
   * @param content the bytes of a file that {@link #load(Path)} reads
   * @throws IOException if the temporary file cannot be written
   * @throws dev.braid.learner.InvalidModelException as for {@link #load(Path)}
   */
  public static ModelSpec load(String name, byte[] content) throws IOException {
    Path file = Files.createTempFile("braid-model", ".zip");
    try {
      Files.write(file, content);
      return ModelSpec.read(name, file, 0);
    } finally {
      Files.delete(file);
    }
  }

  private static MultiLayerConfiguration configuration(
      ModelSpec model, long steps, UpdaterSpec updater) {
    MultiLayerConfiguration configuration = MultiLayerConfiguration.fromJson(model.configuration());
    // Deeplearning4j counts in ints. The limit is harmless: to an optimiser such high numbers of
    // steps are all alike, and a model that took so long must not be lost because of a count.
    int iterations = (int) Math.min(steps, Integer.MAX_VALUE);
    configuration.setIterationCount(iterations);
    for (NeuralNetConfiguration layer : configuration.getConfs()) {
      layer.setIterationCount(iterations);
    }
    updater.setIn(configuration);
    return configuration;
  }
}
