package dev.braid.learner.network;

import dev.braid.learner.math.NativeVectors;
import dev.braid.learner.model.ModelInput;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/** The forward pass of any model, computed by Deeplearning4j. */
final class DeepScoring implements ScoringNetwork {

  private final MultiLayerNetwork network;
  private final ModelInput input;
  private final int features;

  /**
   * Takes ownership of a network, which {@link #close} frees.
   *
   * @param network the network with its weights
   * @param features number of features per sample
   */
  DeepScoring(MultiLayerNetwork network, ModelInput input, int features) {
    this.network = network;
    this.input = input;
    this.features = features;
  }

  @Override
  public float[] scores(float[] samples, int rows) {
    float[] arranged = new float[rows * features];
    input.arrange(samples, 0, rows, arranged);
    try (INDArray array = Nd4j.create(arranged, input.arrayShape(rows))) {
      INDArray outputs = network.output(array, false);
      try (INDArray copy = outputs.dup('c')) {
        return NativeVectors.toArray(copy);
      } finally {
        if (outputs.closeable()) {
          outputs.close();
        }
      }
    }
  }

  @Override
  public void close() {
    Learners.free(network);
  }
}
