package dev.braid.learner.model;

import dev.braid.learner.InvalidModelException;
import dev.braid.learner.Shape;
import dev.braid.learner.structure.ImageShape;
import dev.braid.learner.structure.RecurrentLayers;
import java.util.Optional;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.layers.ActivationLayer;
import org.deeplearning4j.nn.conf.layers.BaseRecurrentLayer;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.DropoutLayer;
import org.deeplearning4j.nn.conf.layers.FeedForwardLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.preprocessor.FeedForwardToCnnPreProcessor;

/** The form in which a model receives a sample. */
public sealed interface ModelInput {

  /** Returns the shape of one sample in Deeplearning4j's arrays. */
  long[] arrayShape();

  /** Returns the shape of an array of {@code samples} samples. */
  default long[] arrayShape(int samples) {
    long[] one = arrayShape();
    long[] all = new long[one.length + 1];
    all[0] = samples;
    System.arraycopy(one, 0, all, 1, one.length);
    return all;
  }

  /** Copies samples into an array in Deeplearning4j's element order. */
  default void arrange(float[] features, int first, int samples, float[] array) {
    int size = Math.toIntExact(size());
    System.arraycopy(features, first * size, array, 0, samples * size);
  }

  /** A row of features. */
  record Row(int features) implements ModelInput {
    @Override
    public long[] arrayShape() {
      return new long[] {features};
    }
  }

  /**
   * An image, channel after channel.
   *
   * @param isRow whether the samples are rows of features that the model itself reshapes into
   *     images
   */
  record Image(ImageShape shape, boolean isRow) implements ModelInput {
    @Override
    public long[] arrayShape() {
      return isRow
          ? new long[] {shape.size()}
          : new long[] {shape.channels(), shape.height(), shape.width()};
    }
  }

  /** Successive steps of a recurrent layer: the lines of an image, or equal pieces of a row. */
  record Sequence(int steps, int features) implements ModelInput {
    @Override
    public long[] arrayShape() {
      return new long[] {features, steps};
    }

    /** Copies samples in the order of features, each with all of its steps. */
    @Override
    public void arrange(float[] all, int first, int samples, float[] array) {
      for (int sample = 0; sample < samples; sample++) {
        int from = (first + sample) * steps * features;
        int to = sample * steps * features;
        for (int step = 0; step < steps; step++) {
          for (int feature = 0; feature < features; feature++) {
            array[to + feature * steps + step] = all[from + step * features + feature];
          }
        }
      }
    }
  }

  /** Returns the sample's shape as an image; a row is an image of one pixel. */
  default ImageShape imageShape() {
    return this instanceof Image image
        ? image.shape()
        : new ImageShape(Math.toIntExact(size()), 1, 1);
  }

  private long size() {
    long size = 1;
    for (long side : arrayShape()) {
      size *= side;
    }
    return size;
  }

  /**
   * Returns the form in which a model receives this data's samples.
   *
   * @throws InvalidModelException if the model does not accept the samples
   */
  static ModelInput of(ModelSpec spec, MultiLayerConfiguration model, Shape shape) {
    if (model.getInputPreProcess(0) instanceof FeedForwardToCnnPreProcessor images) {
      return image(spec, images, shape);
    }
    Optional<Layer> first =
        model.getInputPreProcess(0) == null ? firstThatReshapes(model) : Optional.empty();
    if (first.isPresent() && isFullyConnected(first.get())) {
      return row(spec, Math.toIntExact(((FeedForwardLayer) first.get()).getNIn()), shape);
    }
    Optional<BaseRecurrentLayer> recurrent = first.flatMap(RecurrentLayers::inner);
    if (recurrent.isPresent()) {
      return sequence(spec, Math.toIntExact(recurrent.get().getNIn()), shape);
    }
    if (!shape.isImage()) {
      throw new InvalidModelException(
          "model " + spec.name() + ": takes images, but the data's samples are " + describe(shape));
    }
    return new Image(new ImageShape(shape.channels(), shape.height(), shape.width()), false);
  }

  private static Optional<Layer> firstThatReshapes(MultiLayerConfiguration model) {
    return model.getConfs().stream()
        .map(conf -> conf.getLayer())
        .filter(
            layer ->
                !(layer instanceof BatchNormalization
                    || layer instanceof ActivationLayer
                    || layer instanceof DropoutLayer))
        .findFirst();
  }

  private static boolean isFullyConnected(Layer layer) {
    return layer instanceof DenseLayer || layer instanceof OutputLayer;
  }

  private static Row row(ModelSpec spec, int inputs, Shape shape) {
    if (inputs != shape.features()) {
      throw new InvalidModelException(
          "model "
              + spec.name()
              + ": "
              + inputs
              + " inputs: must match the data's "
              + shape.features()
              + " features");
    }
    return new Row(inputs);
  }

  private static Image image(ModelSpec spec, FeedForwardToCnnPreProcessor images, Shape shape) {
    ImageShape expected =
        new ImageShape(
            Math.toIntExact(images.getNumChannels()),
            Math.toIntExact(images.getInputHeight()),
            Math.toIntExact(images.getInputWidth()));
    boolean same = expected.equals(new ImageShape(shape.channels(), shape.height(), shape.width()));
    if (!same && (shape.isImage() || expected.size() != shape.features())) {
      throw new InvalidModelException(
          "model "
              + spec.name()
              + ": takes images of "
              + expected.channels()
              + "x"
              + expected.height()
              + "x"
              + expected.width()
              + ", but the data's samples are "
              + describe(shape));
    }
    return new Image(expected, true);
  }

  private static Sequence sequence(ModelSpec spec, int inputs, Shape shape) {
    boolean fits = shape.isImage() ? shape.width() == inputs : shape.features() % inputs == 0;
    if (shape.channels() > 1 || !fits) {
      throw new InvalidModelException(
          "model "
              + spec.name()
              + ": takes sequences of "
              + inputs
              + " numbers per step, but the data's samples are "
              + describe(shape)
              + "; use images of one channel and this width, or rows of a multiple of this length");
    }
    return new Sequence(shape.features() / inputs, inputs);
  }

  /** Returns a description of the data's samples. */
  static String describe(Shape shape) {
    return shape.isImage()
        ? "images of " + shape.channels() + "x" + shape.height() + "x" + shape.width()
        : "rows of " + shape.features() + " features";
  }
}
