package dev.braid.learner;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.deeplearning4j.nn.conf.CNN2DFormat;
import org.deeplearning4j.nn.conf.InputPreProcessor;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.PoolingType;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer;
import org.deeplearning4j.nn.conf.preprocessor.CnnToFeedForwardPreProcessor;
import org.deeplearning4j.nn.conf.preprocessor.FeedForwardToCnnPreProcessor;
import org.nd4j.linalg.activations.IActivation;
import org.nd4j.linalg.activations.impl.ActivationIdentity;
import org.nd4j.linalg.activations.impl.ActivationReLU;

/**
 * What a {@link ConvolutionLearner} computes, as it reads it from a model: convolutions and
 * max-poolings, then fully connected layers.
 *
 * @param imageLayers how many layers make images of images
 * @param dense the others
 */
record ConvolutionStack(int imageLayers, List<DenseShape> dense) {

  /** Whether a model is of such layers only, and of nothing that they do not do. */
  static boolean isStack(MultiLayerConfiguration model) {
    int imageLayers = imageLayers(model);
    int all = model.getConfs().size();
    if (imageLayers == 0 || imageLayers == all) {
      return false;
    }
    for (int i = imageLayers; i < all; i++) {
      if (!DenseShape.isFullyConnected(model.getConf(i).getLayer())) {
        return false;
      }
    }
    return model.getInputPreProcessors().entrySet().stream()
        .allMatch(entry -> isPlain(entry.getKey(), entry.getValue(), imageLayers));
  }

  private static boolean isPlain(int layer, InputPreProcessor preprocessor, int imageLayers) {
    return (layer == 0 && preprocessor.getClass() == FeedForwardToCnnPreProcessor.class)
        || (layer == imageLayers && preprocessor.getClass() == CnnToFeedForwardPreProcessor.class);
  }

  /** Reads a model that {@link #isStack}. */
  static ConvolutionStack of(MultiLayerConfiguration model) {
    int imageLayers = imageLayers(model);
    int start = 0;
    for (int i = 0; i < imageLayers; i++) {
      if (model.getConf(i).getLayer() instanceof ConvolutionLayer layer) {
        start = Math.addExact(start, parameters(layer));
      }
    }
    return new ConvolutionStack(imageLayers, DenseShape.stack(model, imageLayers, start));
  }

  /** The layers that make images of images, beginning with images of this shape. */
  static List<ImageLayer> layers(MultiLayerConfiguration model, ImageShape images) {
    List<ImageLayer> layers = new ArrayList<>();
    ImageShape shape = images;
    int start = 0;
    for (int i = 0; i < imageLayers(model); i++) {
      ImageLayer layer;
      if (model.getConf(i).getLayer() instanceof ConvolutionLayer convolution) {
        layer = convolution(convolution, shape, start);
        start += parameters(convolution);
      } else {
        layer = pooling((SubsamplingLayer) model.getConf(i).getLayer(), shape);
      }
      layers.add(layer);
      shape = layer.output();
    }
    return layers;
  }

  private static ImageLayer convolution(ConvolutionLayer layer, ImageShape images, int start) {
    SlidingWindow window =
        SlidingWindow.of(
            images,
            layer.getKernelSize(),
            layer.getStride(),
            layer.getPadding(),
            layer.getConvolutionMode());
    return new Convolution(
        window,
        Math.toIntExact(layer.getNOut()),
        layer.hasBias(),
        layer.getActivationFn() instanceof ActivationReLU,
        start);
  }

  private static ImageLayer pooling(SubsamplingLayer layer, ImageShape images) {
    return new MaxPooling(
        SlidingWindow.of(
            images,
            layer.getKernelSize(),
            layer.getStride(),
            layer.getPadding(),
            layer.getConvolutionMode()));
  }

  private static int parameters(ConvolutionLayer layer) {
    return Convolution.parameters(
        Math.toIntExact(layer.getNIn()),
        layer.getKernelSize(),
        Math.toIntExact(layer.getNOut()),
        layer.hasBias());
  }

  private static int imageLayers(MultiLayerConfiguration model) {
    int count = 0;
    while (count < model.getConfs().size() && makesImages(model.getConf(count).getLayer())) {
      count++;
    }
    return count;
  }

  private static boolean makesImages(Layer layer) {
    if (layer instanceof SubsamplingLayer pooling) {
      return pooling.getClass() == SubsamplingLayer.class
          && pooling.getPoolingType() == PoolingType.MAX
          && isOne(pooling.getDilation())
          && pooling.getCnn2dDataFormat() == CNN2DFormat.NCHW;
    }
    return layer.getClass() == ConvolutionLayer.class
        && layer instanceof ConvolutionLayer convolution
        && isOne(convolution.getDilation())
        && convolution.getCnn2dDataFormat() == CNN2DFormat.NCHW
        && isSimple(convolution.getActivationFn());
  }

  private static boolean isSimple(IActivation function) {
    return function instanceof ActivationIdentity || DenseActivation.isPlainRectifier(function);
  }

  private static boolean isOne(int[] dilation) {
    return Arrays.stream(dilation).allMatch(it -> it == 1);
  }
}
