package dev.braid.connectors;

import dev.braid.learner.ModelSpec;
import dev.braid.learner.NativeMath;
import dev.braid.learner.ParameterOrder;
import dev.braid.learner.UpdaterSpec;
import dev.braid.learner.UpdaterState;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.nn.updater.MultiLayerUpdater;
import org.deeplearning4j.util.ModelSerializer;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * Trained models as files of Deeplearning4j's own format: {@code MultiLayerNetwork.load(file,
 * true)} reads them, and {@code fit} goes on where training ended, with the optimiser's state.
 */
public final class ModelFiles {

  private ModelFiles() {}

  /**
   * Writes a model; to have it whole or not at all, {@link dev.braid.files.WholeFile} gives the
   * stream.
   *
   * @param weights all weights, in {@link ParameterOrder}
   * @param updaterState the optimiser's vectors, each of the weights' length
   * @param steps how many steps the optimiser has taken
   */
  public static void write(
      OutputStream out,
      ModelSpec model,
      float[] weights,
      float[][] updaterState,
      long steps,
      UpdaterSpec updater)
      throws IOException {
    MultiLayerNetwork network = network(model, weights, updaterState, steps, updater);
    try {
      ModelSerializer.writeModel(network, out, true);
    } finally {
      network.close();
    }
  }

  /**
   * Reads a saved model, with its optimiser's state.
   *
   * @throws dev.braid.learner.InvalidModelException if it cannot be read, or not be trained
   *     faithfully by parallel workers
   */
  public static ModelSpec load(Path path) {
    return ModelSpec.read(path, 0);
  }

  private static MultiLayerNetwork network(
      ModelSpec model, float[] weights, float[][] updaterState, long steps, UpdaterSpec updater) {
    NativeMath.useOneThread();
    MultiLayerConfiguration configuration = MultiLayerConfiguration.fromJson(model.configuration());
    // Deeplearning4j counts in ints. So many steps are all alike to an optimiser, and a model that
    // took so long is not to be lost for a count.
    int iterations = (int) Math.min(steps, Integer.MAX_VALUE);
    configuration.setIterationCount(iterations);
    for (NeuralNetConfiguration layer : configuration.getConfs()) {
      layer.setIterationCount(iterations);
    }
    updater.setIn(configuration);
    MultiLayerNetwork network = new MultiLayerNetwork(configuration);
    ParameterOrder order = ParameterOrder.of(configuration);
    network.init(flat(order.toDeeplearning4j(weights)), false);
    if (updaterState.length > 0) {
      float[] state = UpdaterState.of(configuration).toDeeplearning4j(updaterState);
      network.setUpdater(new MultiLayerUpdater(network, flat(state).reshape(-1)));
    }
    return network;
  }

  private static INDArray flat(float[] values) {
    return Nd4j.create(values, new long[] {1, values.length});
  }
}
