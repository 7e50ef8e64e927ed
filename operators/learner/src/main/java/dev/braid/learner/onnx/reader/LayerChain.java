package dev.braid.learner.onnx.reader;

import dev.braid.learner.structure.ImageShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.deeplearning4j.nn.conf.InputPreProcessor;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.ActivationLayer;
import org.deeplearning4j.nn.conf.layers.BaseLayer;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.preprocessor.CnnToFeedForwardPreProcessor;
import org.deeplearning4j.nn.conf.preprocessor.FeedForwardToCnnPreProcessor;
import org.nd4j.linalg.activations.IActivation;
import org.nd4j.linalg.activations.impl.ActivationIdentity;
import org.nd4j.linalg.activations.impl.ActivationSoftmax;

/**
 * The layers that have been read so far, and the shape of their output.
 *
 * <p>ONNX and Deeplearning4j store numbers in the same order. ONNX changes shapes by separate
 * nodes, Deeplearning4j by a preprocessor of the layer that needs another shape. A new shape is
 * therefore only recorded, and the next layer gets a preprocessor if it needs one.
 */
final class LayerChain {

  /** Longest side of a shape. */
  private static final int MAX_SIDE = 1 << 20;

  /** Highest number of elements of a layer's output for one sample: 256 MiB. */
  private static final long MAX_VALUES = 1 << 26;

  private final List<Layer> layers = new ArrayList<>();
  private final Map<Integer, InputPreProcessor> preprocessors = new HashMap<>();
  private final List<float[]> parameters = new ArrayList<>();
  private final long mostParameters = Runtime.getRuntime().maxMemory() / Float.BYTES / 4;
  private long parameterCount;

  /** Shape of one sample in ONNX. */
  private long[] sides;

  /** The most recent shape with three dimensions before the current one. */
  private long[] planes = {};

  /** Shape of the last layer's output in Deeplearning4j; empty if the output is a row. */
  private Optional<ImageShape> image = Optional.empty();

  LayerChain(long[] sides) {
    this.sides = checked(sides);
  }

  private static long[] checked(long[] sides) {
    long size = 1;
    for (long side : sides) {
      size *= side;
      if (side < 1 || side > MAX_SIDE || size > MAX_VALUES) {
        throw new IllegalArgumentException(
            "samples of shape %s: dimensions must be 1 to %d, with at most %d numbers in total"
                .formatted(Arrays.toString(sides), MAX_SIDE, MAX_VALUES));
      }
    }
    return sides;
  }

  /** Returns the shape of a sample after the last layer. */
  long[] sides() {
    return sides.clone();
  }

  /** Returns the number of elements of a sample after the last layer. */
  long size() {
    return Arrays.stream(sides).reduce(1, Math::multiplyExact);
  }

  /** Records another shape of the same elements. */
  void reshape(long... other) {
    planes = sides.length == 3 ? sides : planes;
    sides = checked(other);
  }

  /** Prepares the next layer for images; returns their shape. */
  ImageShape takeImage() {
    if (sides.length != 3) {
      throw shapeRefused("must be images, channels x height x width");
    }
    ImageShape wanted = new ImageShape((int) sides[0], (int) sides[1], (int) sides[2]);
    if (image.isEmpty()) {
      preprocessors.put(
          layers.size(),
          new FeedForwardToCnnPreProcessor(wanted.height(), wanted.width(), wanted.channels()));
      image = Optional.of(wanted);
    } else if (!image.get().equals(wanted)) {
      throw shapeRefused("must be images with the layout of the previous layer's output");
    }
    return wanted;
  }

  /** Prepares the next layer for rows; returns their length. */
  int takeRow() {
    if (sides.length != 1) {
      throw shapeRefused("must be rows; in PyTorch, add nn.Flatten before this layer");
    }
    image.ifPresent(
        from ->
            preprocessors.put(
                layers.size(),
                new CnnToFeedForwardPreProcessor(from.height(), from.width(), from.channels())));
    image = Optional.empty();
    return (int) sides[0];
  }

  /**
   * Prepares the next layer for images, whose height and width may be merged into one dimension;
   * returns the number of channels.
   */
  int takePlanes() {
    boolean isFlat =
        sides.length == 2
            && planes.length == 3
            && planes[0] == sides[0]
            && planes[1] * planes[2] == sides[1];
    if (isFlat) {
      sides = planes;
    }
    return takeImage().channels();
  }

  private IllegalArgumentException shapeRefused(String needed) {
    return new IllegalArgumentException(
        "takes samples of shape %s: %s".formatted(Arrays.toString(sides), needed));
  }

  /** Adds a layer whose output is rows. */
  void addRows(Layer layer, long outputs, float[]... itsParameters) {
    add(layer, itsParameters);
    reshape(outputs);
    image = Optional.empty();
  }

  /** Adds a layer whose output is images. */
  void addImages(Layer layer, ImageShape outputs, float[]... itsParameters) {
    add(layer, itsParameters);
    reshape(outputs.channels(), outputs.height(), outputs.width());
    image = Optional.of(outputs);
  }

  /** Adds a layer whose output has the shape of its input. */
  void add(Layer layer, float[]... itsParameters) {
    for (float[] vector : itsParameters) {
      parameterCount += vector.length;
      if (parameterCount > mostParameters) {
        throw new IllegalArgumentException(
            "the model has more than %d parameters, the maximum for the memory of this process"
                .formatted(mostParameters));
      }
      parameters.add(vector);
    }
    layers.add(layer);
  }

  /** Returns the last layer if it is fully connected and its output is rows. */
  Optional<DenseLayer> lastDense() {
    return sides.length == 1
            && !layers.isEmpty()
            && layers.get(layers.size() - 1) instanceof DenseLayer dense
        ? Optional.of(dense)
        : Optional.empty();
  }

  /** Adds an activation: to the last layer if that has none, else as a layer. */
  void activate(IActivation function) {
    if (!layers.isEmpty()
        && layers.get(layers.size() - 1) instanceof BaseLayer last
        && last.getActivationFn() instanceof ActivationIdentity
        && takes(last, function)) {
      last.setActivationFn(function);
      return;
    }
    if (sides.length == 3) {
      takeImage();
    } else {
      takeRow();
    }
    add(new ActivationLayer.Builder().activation(function).build());
  }

  /**
   * Returns whether a layer can include an activation. A convolution cannot include a softmax: it
   * would not apply to all elements of the image, which may have been reshaped into a row.
   */
  private static boolean takes(BaseLayer layer, IActivation function) {
    return layer instanceof DenseLayer
        || (layer instanceof ConvolutionLayer && !(function instanceof ActivationSoftmax));
  }

  /** Replaces the last layer; returns the replaced one. */
  Layer replaceLast(Layer layer) {
    return layers.set(layers.size() - 1, layer);
  }

  /** Adds all layers and preprocessors to a configuration. */
  void addTo(NeuralNetConfiguration.ListBuilder list) {
    layers.forEach(list::layer);
    preprocessors.forEach(list::inputPreProcessor);
  }

  /** Returns all parameters in Deeplearning4j's order. */
  float[] parameters() {
    float[] all = new float[Math.toIntExact(parameterCount)];
    int at = 0;
    for (float[] vector : parameters) {
      System.arraycopy(vector, 0, all, at, vector.length);
      at += vector.length;
    }
    return all;
  }
}
