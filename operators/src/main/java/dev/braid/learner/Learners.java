package dev.braid.learner;

import java.util.Arrays;
import java.util.Optional;
import org.deeplearning4j.nn.conf.InputPreProcessor;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.FeedForwardLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.preprocessor.FeedForwardToCnnPreProcessor;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/** Makes learners. */
public final class Learners {

  private Learners() {}

  /**
   * The fastest learner for a model. To be called, as the learner is, by the thread that computes.
   *
   * @throws InvalidModelException if the model does not fit the data or cannot be trained
   *     faithfully by parallel workers
   */
  public static Learner create(ModelSpec spec, Shape shape) {
    NativeMath.useOneThread();
    MultiLayerConfiguration model = spec.parsed();
    ModelCheck.check(spec.name(), model);
    checkOutputs(spec, model, shape);
    boolean dense = DenseShape.isStack(model);
    if (takesRows(model)) {
      checkInputs(spec, model, shape);
    }
    MultiLayerNetwork network = network(spec, model);
    Regularisation regularisation = Regularisation.of(network);
    if (dense) {
      free(network);
      return new DenseLearner(spec, model, regularisation);
    }
    if (ConvolutionStack.isStack(model)) {
      tryOut(spec, network, sampleShape(spec, model, shape), shape);
      free(network);
      return new ConvolutionLearner(spec, model, regularisation, images(model, shape));
    }
    return deep(spec, network, regularisation, shape);
  }

  /** The same by Deeplearning4j, whatever the model, and with its order of the parameters. */
  static Learner deep(ModelSpec spec, Shape shape) {
    NativeMath.useOneThread();
    MultiLayerNetwork network = network(spec, spec.parsed());
    return deep(spec, network, Regularisation.of(network), shape);
  }

  static void initialWeights(ModelSpec spec, float[] weights) {
    if (spec.weights().length > 0) {
      System.arraycopy(spec.weights(), 0, weights, 0, spec.weights().length);
      return;
    }
    MultiLayerConfiguration model = spec.parsed();
    MultiLayerNetwork network = network(spec, model);
    float[] drawn =
        ParameterOrder.of(model).fromDeeplearning4j(NativeVectors.toArray(network.params()));
    System.arraycopy(drawn, 0, weights, 0, drawn.length);
    free(network);
  }

  /** How many rows of outputs are largest at their label. */
  static long correct(float[] outputs, int classes, int[] labels, int first, int rows) {
    long correct = 0;
    for (int r = 0; r < rows; r++) {
      int best = 0;
      for (int c = 1; c < classes; c++) {
        if (outputs[r * classes + c] > outputs[r * classes + best]) {
          best = c;
        }
      }
      correct += best == labels[first + r] ? 1 : 0;
    }
    return correct;
  }

  private static Learner deep(
      ModelSpec spec, MultiLayerNetwork network, Regularisation regularisation, Shape shape) {
    long[] sampleShape = sampleShape(spec, network.getLayerWiseConfigurations(), shape);
    tryOut(spec, network, sampleShape, shape);
    return new DeepLearner(spec, network, regularisation, sampleShape, shape.classes());
  }

  static MultiLayerNetwork network(ModelSpec spec, MultiLayerConfiguration model) {
    MultiLayerNetwork network = new MultiLayerNetwork(model);
    try {
      network.init();
    } catch (RuntimeException e) {
      throw new InvalidModelException(
          "model " + spec.name() + ": " + InvalidModelException.reason(e), e);
    }
    if (spec.weights().length > 0 && spec.weights().length != network.numParams()) {
      throw new InvalidModelException(
          "model "
              + spec.name()
              + ": "
              + spec.weights().length
              + " weights: its layers need "
              + network.numParams());
    }
    return network;
  }

  /**
   * Frees a network that has computed no gradient. Its own {@code close} has the heap collected,
   * twice: with all workers beginning at once, that stands still for a second.
   */
  static void free(MultiLayerNetwork network) {
    network.params().close();
    Optional.ofNullable(network.getGradientsViewArray()).ifPresent(INDArray::close);
  }

  private static void checkOutputs(ModelSpec spec, MultiLayerConfiguration model, Shape shape) {
    int last = model.getConfs().size() - 1;
    long outputs = ((OutputLayer) model.getConf(last).getLayer()).getNOut();
    if (outputs != shape.classes()) {
      throw new InvalidModelException(
          "model "
              + spec.name()
              + ": "
              + outputs
              + " outputs: the data's "
              + shape.classes()
              + " classes need as many");
    }
  }

  private static void checkInputs(ModelSpec spec, MultiLayerConfiguration model, Shape shape) {
    long inputs = ((FeedForwardLayer) model.getConf(0).getLayer()).getNIn();
    if (inputs != shape.features()) {
      throw new InvalidModelException(
          "model "
              + spec.name()
              + ": "
              + inputs
              + " inputs: the data's "
              + shape.features()
              + " features need as many");
    }
  }

  /** Rows for a layer, or a preprocessor, that takes rows; images for one that takes images. */
  static long[] sampleShape(ModelSpec spec, MultiLayerConfiguration model, Shape shape) {
    InputPreProcessor first = model.getInputPreProcess(0);
    if (first instanceof FeedForwardToCnnPreProcessor images) {
      boolean same =
          images.getNumChannels() == shape.channels()
              && images.getInputHeight() == shape.height()
              && images.getInputWidth() == shape.width();
      long features = images.getNumChannels() * images.getInputHeight() * images.getInputWidth();
      if (!same && (shape.isImage() || features != shape.features())) {
        throw new InvalidModelException(
            "model "
                + spec.name()
                + ": images of "
                + images.getNumChannels()
                + "x"
                + images.getInputHeight()
                + "x"
                + images.getInputWidth()
                + ": the data's samples are "
                + describe(shape));
      }
      return new long[] {shape.features()};
    }
    boolean rows = takesRows(model);
    if (!rows && !shape.isImage()) {
      throw new InvalidModelException(
          "model " + spec.name() + ": takes images: the data's samples are " + describe(shape));
    }
    return rows
        ? new long[] {shape.features()}
        : new long[] {shape.channels(), shape.height(), shape.width()};
  }

  /** What the model takes a sample for, which {@link #sampleShape} has found to be possible. */
  private static ImageShape images(MultiLayerConfiguration model, Shape shape) {
    return model.getInputPreProcess(0) instanceof FeedForwardToCnnPreProcessor images
        ? new ImageShape(
            Math.toIntExact(images.getNumChannels()),
            Math.toIntExact(images.getInputHeight()),
            Math.toIntExact(images.getInputWidth()))
        : new ImageShape(shape.channels(), shape.height(), shape.width());
  }

  /** One sample through the network, so that what does not fit is told here, not in the job. */
  private static void tryOut(
      ModelSpec spec, MultiLayerNetwork network, long[] sampleShape, Shape shape) {
    long[] one = new long[sampleShape.length + 1];
    one[0] = 1;
    System.arraycopy(sampleShape, 0, one, 1, sampleShape.length);
    INDArray output;
    try {
      output = network.output(Nd4j.zeros(DataType.FLOAT, one), false);
    } catch (RuntimeException e) {
      throw new InvalidModelException(
          "model "
              + spec.name()
              + ": does not take "
              + describe(shape)
              + ": "
              + InvalidModelException.reason(e),
          e);
    }
    if (output.rank() != 2 || output.size(1) != shape.classes()) {
      throw new InvalidModelException(
          "model "
              + spec.name()
              + ": output of shape "
              + Arrays.toString(output.shape())
              + " for a sample: [1, "
              + shape.classes()
              + "] is needed");
    }
  }

  private static boolean takesRows(MultiLayerConfiguration model) {
    Layer first = model.getConf(0).getLayer();
    return model.getInputPreProcess(0) == null
        && (first instanceof DenseLayer || first instanceof OutputLayer);
  }

  private static String describe(Shape shape) {
    return shape.isImage()
        ? "images of " + shape.channels() + "x" + shape.height() + "x" + shape.width()
        : "rows of " + shape.features() + " features";
  }
}
