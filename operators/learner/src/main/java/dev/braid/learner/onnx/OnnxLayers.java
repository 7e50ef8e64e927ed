package dev.braid.learner.onnx;

import dev.braid.learner.InvalidModelException;
import dev.braid.learner.model.ModelInput;
import dev.braid.learner.structure.RecurrentLayers;
import java.util.Arrays;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.conf.CNN2DFormat;
import org.deeplearning4j.nn.conf.ConvolutionMode;
import org.deeplearning4j.nn.conf.InputPreProcessor;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.RNNFormat;
import org.deeplearning4j.nn.conf.layers.ActivationLayer;
import org.deeplearning4j.nn.conf.layers.BaseLayer;
import org.deeplearning4j.nn.conf.layers.BaseRecurrentLayer;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.DropoutLayer;
import org.deeplearning4j.nn.conf.layers.GlobalPoolingLayer;
import org.deeplearning4j.nn.conf.layers.LSTM;
import org.deeplearning4j.nn.conf.layers.LocalResponseNormalization;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.PoolingType;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer;
import org.deeplearning4j.nn.conf.layers.ZeroPaddingLayer;
import org.deeplearning4j.nn.conf.layers.recurrent.LastTimeStep;
import org.deeplearning4j.nn.conf.preprocessor.CnnToFeedForwardPreProcessor;
import org.deeplearning4j.nn.conf.preprocessor.FeedForwardToCnnPreProcessor;
import org.deeplearning4j.nn.conf.preprocessor.RnnToFeedForwardPreProcessor;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.activations.IActivation;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * Translates the layers of a network into ONNX operators that compute what the network computes
 * outside training. Arrays have Deeplearning4j's shapes: [samples, channels, height, width] for
 * images, [samples, features, steps] for sequences.
 */
public final class OnnxLayers {

  /** Dimensions of an image, and of a sequence. */
  private static final int[] SIDES = {2, 3};

  private static final int[] STEPS = {2};

  private final OnnxGraph graph;
  private final String model;

  private OnnxLayers(OnnxGraph graph, String model) {
    this.graph = graph;
    this.model = model;
  }

  /**
   * Adds a network to a graph.
   *
   * @param model the user's name for the network, for messages
   * @param network the network with its weights
   * @param input the form in which the network receives a sample
   * @param features name of a tensor of shape [samples, features]
   * @return name of the network's output, of shape [samples, outputs]
   * @throws InvalidModelException if ONNX has no operators for a layer
   */
  public static String add(
      OnnxGraph graph, String model, MultiLayerNetwork network, ModelInput input, String features) {
    OnnxLayers layers = new OnnxLayers(graph, model);
    String value = layers.arranged(input, features);
    MultiLayerConfiguration confs = network.getLayerWiseConfigurations();
    boolean isPooled = false;
    for (int i = 0; i < network.getnLayers(); i++) {
      String taken = layers.reshaped(i, confs.getInputPreProcess(i), isPooled, value);
      // A wrapper's layer object has the configuration of the layer inside, so the wrapper's
      // configuration is passed, too.
      value = layers.layer(i, confs.getConf(i).getLayer(), network.getLayer(i), taken);
      isPooled |= confs.getConf(i).getLayer() instanceof GlobalPoolingLayer;
    }
    return value;
  }

  private InvalidModelException refused(int index, Object what) {
    return new InvalidModelException(
        "model %s: layer %d: %s: it cannot be exported to ONNX".formatted(model, index, what));
  }

  // ---- shapes ----------------------------------------------------------------------------------

  private String arranged(ModelInput input, String features) {
    if (input instanceof ModelInput.Sequence sequence) {
      String steps = reshape(features, sequence.steps(), sequence.features());
      return graph.node("Transpose", steps).with("perm", 0, 2, 1).add();
    }
    return input instanceof ModelInput.Image image && !image.isRow()
        ? reshape(features, image.arrayShape())
        : features;
  }

  private String reshaped(int index, InputPreProcessor before, boolean isPooled, String value) {
    if (before == null) {
      return value;
    }
    if (before instanceof FeedForwardToCnnPreProcessor images) {
      return reshape(
          value, images.getNumChannels(), images.getInputHeight(), images.getInputWidth());
    }
    if (before instanceof CnnToFeedForwardPreProcessor) {
      return graph.node("Flatten", value).with("axis", 1).add();
    }
    // After a pooling over time no steps remain, and the preprocessor does nothing.
    if (before instanceof RnnToFeedForwardPreProcessor && isPooled) {
      return value;
    }
    throw refused(index, before.getClass().getSimpleName());
  }

  private String reshape(String value, long... sides) {
    long[] shape = new long[sides.length + 1];
    // -1: the number of samples.
    shape[0] = -1;
    System.arraycopy(sides, 0, shape, 1, sides.length);
    return graph.apply("Reshape", value, graph.wholes(shape));
  }

  // ---- layers ----------------------------------------------------------------------------------

  private String layer(
      int index, org.deeplearning4j.nn.conf.layers.Layer conf, Layer layer, String value) {
    if (isOtherFormat(conf)) {
      throw refused(index, "arrays with channels or features last");
    }
    if (conf instanceof DropoutLayer) {
      return value;
    }
    if (conf instanceof ActivationLayer activation) {
      return activated(index, activation.getActivationFn(), value);
    }
    if (conf instanceof OutputLayer || conf.getClass() == DenseLayer.class) {
      return activated(index, ((BaseLayer) conf).getActivationFn(), dense(index, layer, value));
    }
    if (conf.getClass() == ConvolutionLayer.class) {
      ConvolutionLayer convolution = (ConvolutionLayer) conf;
      return activated(
          index, convolution.getActivationFn(), convolution(index, layer, convolution, value));
    }
    if (conf instanceof SubsamplingLayer pooling) {
      return pooling(index, pooling, value);
    }
    if (conf instanceof GlobalPoolingLayer pooling) {
      return globalPooling(index, pooling, value);
    }
    if (conf instanceof BatchNormalization normalization) {
      return normalization(layer, normalization, value);
    }
    if (conf instanceof LocalResponseNormalization normalization) {
      int each = (int) (normalization.getN() / 2);
      int size = 2 * each + 1;
      return graph
          .node("LRN", value)
          .with("size", size)
          .with("alpha", normalization.getAlpha() * size)
          .with("beta", normalization.getBeta())
          .with("bias", normalization.getK())
          .add();
    }
    if (conf instanceof ZeroPaddingLayer zeros) {
      int[] sides = zeros.getPadding();
      String pads = graph.wholes(0, 0, sides[0], sides[2], 0, 0, sides[1], sides[3]);
      return graph.apply("Pad", value, pads);
    }
    if (conf instanceof LastTimeStep last) {
      return recurrent(index, (BaseRecurrentLayer) last.getUnderlying(), layer, value, true);
    }
    if (conf instanceof BaseRecurrentLayer recurrent) {
      return recurrent(index, recurrent, layer, value, false);
    }
    throw refused(index, conf.getClass().getSimpleName());
  }

  /**
   * Returns whether a layer's arrays have another order of dimensions than the other layers';
   * ModelCheck rejects only some of these.
   */
  private static boolean isOtherFormat(org.deeplearning4j.nn.conf.layers.Layer conf) {
    if (conf instanceof SubsamplingLayer pooling) {
      return pooling.getCnn2dDataFormat() == CNN2DFormat.NHWC;
    }
    if (conf instanceof ZeroPaddingLayer zeros) {
      return zeros.getDataFormat() == CNN2DFormat.NHWC;
    }
    if (conf instanceof LocalResponseNormalization normalization) {
      return normalization.getDataFormat() == CNN2DFormat.NHWC;
    }
    return RecurrentLayers.inner(conf)
        .filter(inner -> inner.getRnnDataFormat() == RNNFormat.NWC)
        .isPresent();
  }

  private String activated(int index, IActivation activation, String value) {
    return new OnnxActivations(graph, model, index).add(activation, value);
  }

  private String dense(int index, Layer layer, String value) {
    if (layer.conf().getLayer() instanceof DenseLayer dense && dense.hasLayerNorm()) {
      throw refused(index, "a DenseLayer with layer normalization");
    }
    String product = graph.apply("MatMul", value, parameter(layer, "W"));
    return layer.paramTable().containsKey("b")
        ? graph.apply("Add", product, row(layer, "b"))
        : product;
  }

  private String convolution(int index, Layer layer, ConvolutionLayer conf, String value) {
    requireNoDilation(index, conf.getConvolutionMode(), conf.getDilation());
    String[] inputs =
        conf.hasBias()
            ? new String[] {value, parameter(layer, "W"), row(layer, "b")}
            : new String[] {value, parameter(layer, "W")};
    return windows(graph.node("Conv", inputs), conf.getConvolutionMode(), conf.getPadding())
        .with("kernel_shape", longs(conf.getKernelSize()))
        .with("strides", longs(conf.getStride()))
        .with("dilations", longs(conf.getDilation()))
        .add();
  }

  private static OnnxGraph.Node windows(OnnxGraph.Node node, ConvolutionMode mode, int[] padding) {
    return mode == ConvolutionMode.Same
        ? node.with("auto_pad", "SAME_UPPER")
        : node.with("pads", padding[0], padding[1], padding[0], padding[1]);
  }

  private static boolean isDilated(int[] dilation) {
    return Arrays.stream(dilation).anyMatch(step -> step != 1);
  }

  /** Rejects the combination of mode Same and a dilation, which ONNX Runtime does not support. */
  private void requireNoDilation(int index, ConvolutionMode mode, int[] dilation) {
    if (mode == ConvolutionMode.Same && isDilated(dilation)) {
      throw refused(index, "convolution mode Same with a dilation");
    }
  }

  private static long[] longs(int[] values) {
    return Arrays.stream(values).asLongStream().toArray();
  }

  private String pooling(int index, SubsamplingLayer conf, String value) {
    boolean isMax = conf.getPoolingType() == PoolingType.MAX;
    if (!isMax && isDilated(conf.getDilation())) {
      throw refused(index, "a pooling of averages or powers with a dilation");
    }
    requireNoDilation(index, conf.getConvolutionMode(), conf.getDilation());
    for (int i = 0; i < 2; i++) {
      if (conf.getPadding()[i] >= conf.getKernelSize()[i]) {
        throw refused(index, "a pooling with a padding as large as its kernel");
      }
    }
    OnnxGraph.Node node =
        switch (conf.getPoolingType()) {
          case MAX -> graph.node("MaxPool", value).with("dilations", longs(conf.getDilation()));
          case AVG ->
              graph
                  .node("AveragePool", value)
                  .with("count_include_pad", conf.isAvgPoolIncludePadInDivisor() ? 1 : 0);
          case PNORM -> graph.node("LpPool", value).with("p", conf.getPnorm());
          // Deeplearning4j does not support it, either.
          case SUM -> throw refused(index, "a pooling that adds up");
        };
    return windows(node, conf.getConvolutionMode(), conf.getPadding())
        .with("kernel_shape", longs(conf.getKernelSize()))
        .with("strides", longs(conf.getStride()))
        .add();
  }

  private String globalPooling(int index, GlobalPoolingLayer conf, String value) {
    if (!conf.isCollapseDimensions()) {
      throw refused(index, "a GlobalPoolingLayer that keeps its dimensions");
    }
    int[] pooled = conf.getPoolingDimensions();
    if (pooled != null && !Arrays.equals(pooled, SIDES) && !Arrays.equals(pooled, STEPS)) {
      throw refused(index, "a GlobalPoolingLayer of dimensions " + Arrays.toString(pooled));
    }
    // Pools the last two dimensions of images, and the last one of sequences.
    String flat = graph.apply("Reshape", value, graph.wholes(0, 0, -1));
    return switch (conf.getPoolingType()) {
      case MAX -> reduced("ReduceMax", flat);
      case AVG -> reduced("ReduceMean", flat);
      case SUM -> sum(flat);
      case PNORM -> {
        String power = graph.constant(conf.getPnorm());
        String powers = graph.apply("Pow", graph.apply("Abs", flat), power);
        yield graph.apply("Pow", sum(powers), graph.constant(1.0 / conf.getPnorm()));
      }
    };
  }

  private String reduced(String operator, String value) {
    return graph.node(operator, value).with("axes", new long[] {2}).with("keepdims", 0).add();
  }

  private String sum(String value) {
    return graph.node("ReduceSum", value, graph.wholes(2)).with("keepdims", 0).add();
  }

  private String normalization(Layer layer, BatchNormalization conf, String value) {
    float[] mean = floats(layer.getParam("mean"));
    float[] variance;
    if (layer.paramTable().containsKey("var")) {
      variance = floats(layer.getParam("var"));
    } else {
      variance = floats(layer.getParam("log10stdev"));
      for (int i = 0; i < variance.length; i++) {
        variance[i] = (float) Math.pow(10, 2.0 * variance[i]);
      }
    }
    float[] gamma;
    float[] beta;
    if (conf.isLockGammaBeta()) {
      gamma = new float[mean.length];
      beta = new float[mean.length];
      Arrays.fill(gamma, (float) conf.getGamma());
      Arrays.fill(beta, (float) conf.getBeta());
    } else {
      gamma = floats(layer.getParam("gamma"));
      beta = floats(layer.getParam("beta"));
    }
    return graph
        .node(
            "BatchNormalization",
            value,
            graph.constant(gamma, gamma.length),
            graph.constant(beta, beta.length),
            graph.constant(mean, mean.length),
            graph.constant(variance, variance.length))
        .with("epsilon", conf.getEps())
        .add();
  }

  // ---- sequences -------------------------------------------------------------------------------

  /**
   * Adds a recurrent layer. ONNX has steps first, and the gates of an LSTM in the order input,
   * output, forget, cell. Deeplearning4j has the gates in the order cell, forget, output, input.
   */
  private String recurrent(
      int index, BaseRecurrentLayer conf, Layer layer, String value, boolean lastOnly) {
    boolean isLstm = conf instanceof LSTM;
    int units = (int) conf.getNOut();
    int[] gates = isLstm ? new int[] {3, 2, 1, 0} : new int[] {0};
    if (layer.paramTable().containsKey("g")) {
      throw refused(index, "a recurrent layer with layer normalization");
    }
    float[] bias = gates(layer.getParam("b").reshape(1, -1), gates, units);
    String steps = graph.node("Transpose", value).with("perm", 2, 0, 1).add();
    OnnxActivations activations = new OnnxActivations(graph, model, index);
    OnnxGraph.Node node =
        graph
            .node(
                isLstm ? "LSTM" : "RNN",
                steps,
                weights(layer.getParam("W"), gates, units),
                weights(layer.getParam("RW"), gates, units),
                graph.constant(Arrays.copyOf(bias, 2 * bias.length), 1, 2L * bias.length))
            .with("hidden_size", units);
    if (conf instanceof LSTM lstm) {
      activations.ofRecurrent(
          node, lstm.getGateActivationFn(), conf.getActivationFn(), conf.getActivationFn());
    } else {
      activations.ofRecurrent(node, conf.getActivationFn());
    }
    if (lastOnly) {
      return graph.apply("Squeeze", node.add(1, 2), graph.wholes(0));
    }
    String all = graph.apply("Squeeze", node.add(0, 1), graph.wholes(1));
    return graph.node("Transpose", all).with("perm", 1, 2, 0).add();
  }

  private String weights(INDArray matrix, int[] gates, int units) {
    return graph.constant(
        gates(matrix, gates, units), 1, (long) gates.length * units, matrix.rows());
  }

  /** Returns the columns of gates in the given order of gates, column after column. */
  private static float[] gates(INDArray matrix, int[] gates, int units) {
    int rows = (int) matrix.size(0);
    float[] values = new float[gates.length * units * rows];
    int at = 0;
    for (int gate : gates) {
      for (int unit = 0; unit < units; unit++) {
        for (int row = 0; row < rows; row++) {
          values[at++] = matrix.getFloat(row, gate * units + unit);
        }
      }
    }
    return values;
  }

  // ---- parameters ------------------------------------------------------------------------------

  private String parameter(Layer layer, String name) {
    INDArray array = layer.getParam(name);
    return graph.constant(floats(array), array.shape());
  }

  private String row(Layer layer, String name) {
    INDArray array = layer.getParam(name);
    return graph.constant(floats(array), array.length());
  }

  private static float[] floats(INDArray array) {
    return array.dup('c').data().asFloat();
  }
}
