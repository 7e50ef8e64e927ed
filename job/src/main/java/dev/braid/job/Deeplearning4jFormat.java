package dev.braid.job;

import dev.braid.job.report.ModelFormat;
import dev.braid.learner.ModelSpec;
import dev.braid.learner.NativeMath;
import dev.braid.learner.UpdaterSpec;
import java.io.IOException;
import java.io.OutputStream;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.BaseLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.util.ModelSerializer;
import org.nd4j.linalg.factory.Nd4j;

/** Models as Deeplearning4j saves them. */
record Deeplearning4jFormat(ModelSpec model, UpdaterSpec updater) implements ModelFormat {

  @Override
  public String nativeLibrary() {
    return NativeMath.describe();
  }

  @Override
  public void write(float[] weights, float[][] updaterState, long steps, OutputStream out)
      throws IOException {
    MultiLayerConfiguration configuration = MultiLayerConfiguration.fromJson(model.configuration());
    for (NeuralNetConfiguration layer : configuration.getConfs()) {
      if (layer.getLayer() instanceof BaseLayer trained) {
        trained.setIUpdater(updater.toDeeplearning4j());
      }
    }
    // Adam's bias correction goes by it.
    configuration.setIterationCount(Math.toIntExact(steps));
    MultiLayerNetwork network = new MultiLayerNetwork(configuration);
    network.init();
    network.setParams(Nd4j.createFromArray(weights).reshape(1, weights.length));
    if (updaterState.length > 0) {
      float[] state = joined(updaterState);
      network
          .getUpdater()
          .setStateViewArray(network, Nd4j.createFromArray(state).reshape(1, state.length), false);
    }
    ModelSerializer.writeModel(network, out, true);
    network.close();
  }

  /** All layers share one optimiser, hence one block: its first vector whole, then its second. */
  private static float[] joined(float[][] vectors) {
    float[] joined = new float[vectors.length * vectors[0].length];
    for (int i = 0; i < vectors.length; i++) {
      System.arraycopy(vectors[i], 0, joined, i * vectors[i].length, vectors[i].length);
    }
    return joined;
  }
}
