package dev.braid.learner.structure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.deeplearning4j.nn.conf.CNN2DFormat;
import org.deeplearning4j.nn.conf.InputPreProcessor;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.layers.ActivationLayer;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DropoutLayer;
import org.deeplearning4j.nn.conf.layers.GlobalPoolingLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.PoolingType;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer;
import org.deeplearning4j.nn.conf.preprocessor.CnnToFeedForwardPreProcessor;
import org.deeplearning4j.nn.conf.preprocessor.FeedForwardToCnnPreProcessor;

/**
 * Models that Braid computes with its own layers: zero or more image layers, followed by fully
 * connected layers, with element-wise or normalising layers between them. The last layer is the
 * output layer.
 */
public final class ModelStack {

  private ModelStack() {}

  /**
   * Returns whether a model consists only of layers, with settings, that Braid's own layers
   * support.
   */
  public static boolean isStack(MultiLayerConfiguration model) {
    int dense = firstDense(model);
    int last = model.getConfs().size() - 1;
    for (int i = 0; i <= last; i++) {
      Layer layer = model.getConf(i).getLayer();
      boolean fits =
          i < dense
              ? makesImages(layer) || isBetween(layer)
              : DenseShape.isFullyConnected(layer) || isBetween(layer);
      if (!fits || layer instanceof OutputLayer != (i == last)) {
        return false;
      }
    }
    return model.getInputPreProcessors().entrySet().stream()
        .allMatch(entry -> isPlain(entry.getKey(), entry.getValue(), dense));
  }

  private static boolean isPlain(int layer, InputPreProcessor preprocessor, int dense) {
    return (layer == 0
            && dense > 0
            && preprocessor.getClass() == FeedForwardToCnnPreProcessor.class)
        || (layer == dense
            && dense > 0
            && preprocessor.getClass() == CnnToFeedForwardPreProcessor.class);
  }

  /**
   * Returns the index of the first fully connected layer, or the number of layers if there is none.
   */
  public static int firstDense(MultiLayerConfiguration model) {
    int index = 0;
    while (index < model.getConfs().size()
        && !DenseShape.isFullyConnected(model.getConf(index).getLayer())) {
      index++;
    }
    return index;
  }

  /** Returns the fully connected layers of a model that {@link #isStack}. */
  public static List<DenseShape> dense(MultiLayerConfiguration model) {
    List<DenseShape> layers = new ArrayList<>();
    for (int i = 0; i < model.getConfs().size(); i++) {
      if (DenseShape.isFullyConnected(model.getConf(i).getLayer())) {
        layers.add(DenseShape.of(model.getConf(i).getLayer(), start(model, i)));
      }
    }
    return layers;
  }

  /** Returns the index in the flat vector at which a layer's parameters begin. */
  public static int start(MultiLayerConfiguration model, int layer) {
    long start = 0;
    for (int i = 0; i < layer; i++) {
      Layer before = model.getConf(i).getLayer();
      start += before.initializer().numParams(before);
    }
    return Math.toIntExact(start);
  }

  private static boolean makesImages(Layer layer) {
    if (layer instanceof SubsamplingLayer pooling) {
      return pooling.getClass() == SubsamplingLayer.class
          && (pooling.getPoolingType() == PoolingType.MAX
              || pooling.getPoolingType() == PoolingType.AVG)
          && isOne(pooling.getDilation())
          && pooling.getCnn2dDataFormat() == CNN2DFormat.NCHW;
    }
    if (layer instanceof GlobalPoolingLayer pooling) {
      return pooling.getPoolingType() != PoolingType.PNORM
          && pooling.isCollapseDimensions()
          && (pooling.getPoolingDimensions() == null
              || Arrays.equals(pooling.getPoolingDimensions(), new int[] {2, 3}));
    }
    return layer.getClass() == ConvolutionLayer.class
        && layer instanceof ConvolutionLayer convolution
        && isOne(convolution.getDilation())
        && convolution.getCnn2dDataFormat() == CNN2DFormat.NCHW
        && Activations.isElementwise(convolution.getActivationFn());
  }

  /** Returns whether a layer changes no shape and may be at any place between the others. */
  private static boolean isBetween(Layer layer) {
    if (layer instanceof BatchNormalization normalisation) {
      return normalisation.getCnn2DFormat() == CNN2DFormat.NCHW;
    }
    return layer instanceof DropoutLayer
        || (layer instanceof ActivationLayer activation
            && Activations.isElementwise(activation.getActivationFn()));
  }

  private static boolean isOne(int[] dilation) {
    return Arrays.stream(dilation).allMatch(it -> it == 1);
  }
}
