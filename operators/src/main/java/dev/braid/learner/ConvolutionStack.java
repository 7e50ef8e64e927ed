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
        start = parameters(layer, start).end();
      }
    }
    return new ConvolutionStack(imageLayers, DenseShape.stack(model, imageLayers, start));
  }

  /**
   * The layers that make images of images; the first takes them, and the last gives them,
   * planewise.
   */
  static List<ImageLayer> layers(MultiLayerConfiguration model, ImageShape images) {
    List<ImageLayer> layers = new ArrayList<>();
    if (!(model.getConf(0).getLayer() instanceof ConvolutionLayer)) {
      layers.add(new Reordering(images, true));
    }
    ImageShape shape = images;
    int start = 0;
    for (int i = 0; i < imageLayers(model); i++) {
      if (model.getConf(i).getLayer() instanceof ConvolutionLayer layer) {
        ConvolutionParameters parameters = parameters(layer, start);
        boolean rectified = isRectified(model, i) && !isPooling(model, i + 1);
        layers.add(convolution(layer, shape, parameters, rectified, i == 0));
        start = parameters.end();
      } else {
        boolean rectified = i > 0 && isRectified(model, i - 1);
        layers.add(pooling((SubsamplingLayer) model.getConf(i).getLayer(), shape, rectified));
      }
      shape = layers.get(layers.size() - 1).output();
    }
    layers.add(new Reordering(shape, false));
    return layers;
  }

  private static ImageLayer convolution(
      ConvolutionLayer layer,
      ImageShape images,
      ConvolutionParameters parameters,
      boolean rectified,
      boolean isFirst) {
    SlidingWindow window =
        SlidingWindow.of(
            images,
            layer.getKernelSize(),
            layer.getStride(),
            layer.getPadding(),
            layer.getConvolutionMode());
    return isFirst
        ? new FirstConvolution(window, parameters, rectified)
        : new Convolution(window, parameters, rectified);
  }

  private static ImageLayer pooling(SubsamplingLayer layer, ImageShape images, boolean rectified) {
    return new MaxPooling(
        SlidingWindow.of(
            images,
            layer.getKernelSize(),
            layer.getStride(),
            layer.getPadding(),
            layer.getConvolutionMode()),
        rectified);
  }

  private static boolean isRectified(MultiLayerConfiguration model, int layer) {
    return model.getConf(layer).getLayer() instanceof ConvolutionLayer convolution
        && convolution.getActivationFn() instanceof ActivationReLU;
  }

  private static boolean isPooling(MultiLayerConfiguration model, int layer) {
    return model.getConf(layer).getLayer() instanceof SubsamplingLayer;
  }

  private static ConvolutionParameters parameters(ConvolutionLayer layer, int start) {
    int[] kernel = layer.getKernelSize();
    int taps =
        Math.multiplyExact(
            Math.toIntExact(layer.getNIn()), Math.multiplyExact(kernel[0], kernel[1]));
    return new ConvolutionParameters(
        Math.toIntExact(layer.getNOut()), taps, layer.hasBias(), start);
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
