package dev.braid.learner.layer;

import dev.braid.learner.matrix.MatrixMultiplier;
import dev.braid.learner.matrix.MatrixMultipliers;
import dev.braid.learner.structure.Activations;
import dev.braid.learner.structure.DenseShape;
import dev.braid.learner.structure.ImageShape;
import dev.braid.learner.structure.ModelStack;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.layers.ActivationLayer;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DropoutLayer;
import org.deeplearning4j.nn.conf.layers.GlobalPoolingLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.PoolingType;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer;
import org.nd4j.linalg.activations.IActivation;
import org.nd4j.linalg.activations.impl.ActivationIdentity;

/** Creates the layers of a model that is a {@link ModelStack}, one after the other. */
public final class StackBuilder {

  /**
   * The layers of a model.
   *
   * @param front the layers before the first fully connected one; the first layer's input and the
   *     last layer's output are channel after channel, as in the data
   * @param between the layers between each fully connected layer and the next
   */
  public record Layers(List<ImageLayer> front, List<List<ImageLayer>> between) {}

  private final MultiLayerConfiguration model;
  private final Supplier<MatrixMultiplier> multipliers;
  private final List<ImageLayer> front = new ArrayList<>();
  private final List<List<ImageLayer>> between = new ArrayList<>();

  private List<ImageLayer> current = front;
  private ImageShape shape;

  /** Whether images are stored channel after channel at this point. */
  private boolean planes;

  private StackBuilder(
      MultiLayerConfiguration model, ImageShape samples, Supplier<MatrixMultiplier> multipliers) {
    this.model = model;
    this.multipliers = multipliers;
    this.shape = samples;
    this.planes = samples.channels() > 1 && samples.height() * samples.width() > 1;
  }

  /** Creates the layers of a model that is trained. */
  public static Layers build(MultiLayerConfiguration model, ImageShape samples) {
    return build(model, samples, MatrixMultipliers::forTraining);
  }

  /**
   * Creates the layers of a model.
   *
   * @param samples shape of a sample
   * @param multipliers creates the multiplier of a layer
   */
  public static Layers build(
      MultiLayerConfiguration model, ImageShape samples, Supplier<MatrixMultiplier> multipliers) {
    StackBuilder builder = new StackBuilder(model, samples, multipliers);
    int last = model.getConfs().size() - 1;
    for (int i = 0; i < last; i++) {
      builder.add(i);
    }
    builder.reorder(true);
    builder.addDropout(last);
    return new Layers(builder.front, builder.between);
  }

  private void add(int index) {
    Layer layer = model.getConf(index).getLayer();
    if (DenseShape.isFullyConnected(layer)) {
      reorder(true);
      addDropout(index);
      current = new ArrayList<>();
      between.add(current);
      shape = new ImageShape(DenseShape.of(layer, 0).outputs(), 1, 1);
    } else if (layer instanceof ConvolutionLayer convolution) {
      addDropout(index);
      addConvolution(convolution, index);
    } else if (layer instanceof SubsamplingLayer pooling) {
      reorder(false);
      addPooling(pooling, index);
    } else if (layer instanceof GlobalPoolingLayer pooling) {
      reorder(false);
      add(globalPooling(pooling.getPoolingType()));
    } else if (layer instanceof BatchNormalization normalisation) {
      reorder(false);
      add(normalisation(normalisation, index));
    } else if (layer instanceof ActivationLayer activation) {
      addActivation(activation.getActivationFn());
    } else if (layer instanceof DropoutLayer) {
      addDropout(index);
    } else {
      throw new IllegalStateException("layer " + index + ": unsupported " + layer.getClass());
    }
  }

  private void add(ImageLayer layer) {
    current.add(layer);
    shape = layer.output();
  }

  /** Reorders images into the order that the next layer needs, unless they have it. */
  private void reorder(boolean toPlanes) {
    boolean matters = shape.channels() > 1 && shape.height() * shape.width() > 1;
    if (matters && planes != toPlanes) {
      add(new Reordering(shape, planes));
    }
    planes = toPlanes;
  }

  /** Adds a layer's own dropout, which applies to the layer's input. */
  private void addDropout(int index) {
    if (model.getConf(index).getLayer().getIDropout()
        instanceof org.deeplearning4j.nn.conf.dropout.Dropout dropout) {
      DropoutMask mask = new DropoutMask(model.getConf(0).getSeed(), index, dropout.getP());
      // Dropout counts values channel by channel. If they are stored so, an image is one row.
      current.add(new Dropout(planes ? new ImageShape(shape.size(), 1, 1) : shape, mask));
    }
  }

  private void addConvolution(ConvolutionLayer layer, int index) {
    int[] kernel = layer.getKernelSize();
    boolean first = front.isEmpty();
    if (!first) {
      reorder(false);
    }
    SlidingWindow window =
        SlidingWindow.of(
            shape, kernel, layer.getStride(), layer.getPadding(), layer.getConvolutionMode());
    ConvolutionParameters parameters =
        new ConvolutionParameters(
            Math.toIntExact(layer.getNOut()),
            window.taps(),
            layer.hasBias(),
            ModelStack.start(model, index));
    IActivation function = layer.getActivationFn();
    boolean rectifier = Activations.isPlainRectifier(function);
    boolean rectified = rectifier && !isMaxPooling(index + 1);
    MatrixMultiplier multiplier = multipliers.get();
    add(
        first
            ? new FirstConvolution(window, parameters, rectified, multiplier)
            : new Convolution(window, parameters, rectified, multiplier));
    planes = false;
    if (!rectifier) {
      addActivation(function);
    }
  }

  private void addActivation(IActivation function) {
    if (!(function instanceof ActivationIdentity)) {
      add(ElementwiseActivation.of(function, shape));
    }
  }

  /**
   * Returns whether a layer is a max-pooling, which takes over the rectifier of a convolution
   * before it.
   */
  private boolean isMaxPooling(int index) {
    return model.getConf(index).getLayer() instanceof SubsamplingLayer pooling
        && pooling.getPoolingType() == PoolingType.MAX;
  }

  private void addPooling(SubsamplingLayer layer, int index) {
    SlidingWindow window =
        SlidingWindow.of(
            shape,
            layer.getKernelSize(),
            layer.getStride(),
            layer.getPadding(),
            layer.getConvolutionMode());
    if (layer.getPoolingType() == PoolingType.MAX) {
      boolean rectified =
          index > 0
              && model.getConf(index - 1).getLayer() instanceof ConvolutionLayer convolution
              && Activations.isPlainRectifier(convolution.getActivationFn());
      add(new MaxPooling(window, rectified));
    } else {
      add(
          new AveragePooling(
              window,
              layer.isAvgPoolIncludePadInDivisor()
                  ? AveragePooling.Divisor.ALL
                  : AveragePooling.Divisor.WITHIN));
    }
  }

  private ImageLayer globalPooling(PoolingType type) {
    SlidingWindow window = SlidingWindow.whole(shape);
    return switch (type) {
      case MAX -> new MaxPooling(window, false);
      case AVG -> new AveragePooling(window, AveragePooling.Divisor.ALL);
      case SUM -> new AveragePooling(window, AveragePooling.Divisor.ONE);
      case PNORM -> throw new IllegalStateException("pooling by a norm is not supported");
    };
  }

  private ImageLayer normalisation(BatchNormalization layer, int index) {
    return new BatchNorm(
        shape,
        new BatchNorm.Settings(
            !layer.isLockGammaBeta(),
            (float) layer.getGamma(),
            (float) layer.getBeta(),
            layer.getDecay(),
            layer.getEps(),
            layer.isUseLogStd(),
            ModelStack.start(model, index)));
  }
}
