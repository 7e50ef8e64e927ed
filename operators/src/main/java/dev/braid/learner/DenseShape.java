package dev.braid.learner;

import java.util.ArrayList;
import java.util.List;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.FeedForwardLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;

/**
 * The parameters of one fully connected layer, and their place in the flat vector: {@code inputs}
 * times {@code outputs} weights, then the biases, if there are any.
 *
 * @param start where the weights begin
 */
record DenseShape(int inputs, int outputs, boolean hasBias, int start) {

  /** Whether the model is a stack of fully connected layers and nothing else. */
  static boolean isStack(MultiLayerConfiguration model) {
    boolean stack = model.getInputPreProcessors().isEmpty();
    for (NeuralNetConfiguration conf : model.getConfs()) {
      stack &= isFullyConnected(conf.getLayer());
    }
    return stack;
  }

  /** Whether a layer has a {@link DenseStage}. */
  static boolean isFullyConnected(Layer layer) {
    return layer instanceof OutputLayer
        || (layer instanceof DenseLayer dense && !dense.hasLayerNorm());
  }

  /** The layers of a model that {@link #isStack}, from the inputs on. */
  static List<DenseShape> stack(MultiLayerConfiguration model) {
    return stack(model, 0, 0);
  }

  /**
   * The last layers of a model, from one on.
   *
   * @param first the layer from which on all are fully connected
   * @param start where its parameters begin
   */
  static List<DenseShape> stack(MultiLayerConfiguration model, int first, int start) {
    List<DenseShape> layers = new ArrayList<>();
    int next = start;
    for (NeuralNetConfiguration conf : model.getConfs().subList(first, model.getConfs().size())) {
      FeedForwardLayer layer = (FeedForwardLayer) conf.getLayer();
      boolean hasBias =
          layer instanceof DenseLayer dense ? dense.hasBias() : ((OutputLayer) layer).hasBias();
      DenseShape shape =
          new DenseShape(
              Math.toIntExact(layer.getNIn()), Math.toIntExact(layer.getNOut()), hasBias, next);
      layers.add(shape);
      next = shape.end();
    }
    return layers;
  }

  int weights() {
    return Math.multiplyExact(inputs, outputs);
  }

  int biasStart() {
    return start + weights();
  }

  int end() {
    return Math.addExact(biasStart(), hasBias ? outputs : 0);
  }
}
