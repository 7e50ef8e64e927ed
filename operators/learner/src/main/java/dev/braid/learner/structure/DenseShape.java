package dev.braid.learner.structure;

import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.FeedForwardLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;

/**
 * The parameters of one fully connected layer and their position in the flat vector: {@code inputs}
 * times {@code outputs} weights, then the biases, if the layer has any.
 *
 * @param start index of the first weight
 */
public record DenseShape(int inputs, int outputs, boolean hasBias, int start) {

  /** Returns whether a layer is fully connected and can be computed by a {@code DenseStage}. */
  public static boolean isFullyConnected(Layer layer) {
    return layer instanceof OutputLayer
        || (layer instanceof DenseLayer dense && !dense.hasLayerNorm());
  }

  /**
   * Returns the shape of a layer.
   *
   * @param start index of the layer's first weight
   */
  public static DenseShape of(Layer layer, int start) {
    FeedForwardLayer sizes = (FeedForwardLayer) layer;
    boolean hasBias =
        layer instanceof DenseLayer dense ? dense.hasBias() : ((OutputLayer) layer).hasBias();
    return new DenseShape(
        Math.toIntExact(sizes.getNIn()), Math.toIntExact(sizes.getNOut()), hasBias, start);
  }

  public int weights() {
    return Math.multiplyExact(inputs, outputs);
  }

  public int biasStart() {
    return start + weights();
  }

  public int end() {
    return Math.addExact(biasStart(), hasBias ? outputs : 0);
  }
}
