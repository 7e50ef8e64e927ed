package dev.braid.learner.onnx.reader;

import dev.braid.learner.structure.ImageShape;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.GlobalPoolingLayer;
import org.deeplearning4j.nn.conf.layers.PoolingType;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer;
import org.deeplearning4j.nn.conf.layers.ZeroPaddingLayer;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.activations.impl.ActivationSoftmax;

/** Translates nodes into Deeplearning4j layers. */
final class OnnxOperators {

  private static final float EPSILON = 1e-5f;
  private static final float MOMENTUM = 0.9f;

  private final OnnxConstants constants;
  private final LayerChain chain;
  private final OnnxViews views;
  private final OnnxFunctions functions;

  OnnxOperators(OnnxConstants constants, LayerChain chain, OnnxViews views) {
    this.constants = constants;
    this.chain = chain;
    this.views = views;
    functions = new OnnxFunctions(constants);
  }

  /**
   * Reads one layer, activation or change of shape.
   *
   * @param value name of its input
   * @param nodes all remaining nodes
   * @return number of nodes that it consists of
   */
  int read(String value, List<OnnxNode> nodes) {
    OnnxNode node = nodes.get(0);
    if (views.read(node)) {
      return 1;
    }
    switch (node.operator()) {
      case "Gemm" -> gemm(node);
      case "MatMul" -> {
        return matMul(node, nodes);
      }
      case "Conv" -> convolution(node);
      case "MaxPool" -> pooling(node, PoolingType.MAX);
      case "AveragePool" -> pooling(node, PoolingType.AVG);
      case "GlobalMaxPool" -> globalPooling(chain.takeImage().channels(), 3, PoolingType.MAX);
      case "GlobalAveragePool" -> globalPooling(chain.takeImage().channels(), 3, PoolingType.AVG);
      case "ReduceMax" -> reduction(node, PoolingType.MAX);
      case "ReduceMean" -> reduction(node, PoolingType.AVG);
      case "ReduceSum" -> reduction(node, PoolingType.SUM);
      case "BatchNormalization" -> normalization(node);
      case "Pad" -> padding(node);
      case "Softmax" -> softmax(node);
      case "LogSoftmax" -> {
        if (nodes.size() > 1) {
          throw node.refused("before other nodes: must be the last node");
        }
        softmax(node);
      }
      default -> {
        OnnxFunctions.Found found =
            functions
                .find(value, nodes)
                .orElseThrow(
                    () ->
                        node.refused(
                            "Braid has no such layer; use one of the operators in"
                                + " docs/reference/models.md"));
        chain.activate(found.function());
        return found.nodes();
      }
    }
    return 1;
  }

  // ---- fully connected -------------------------------------------------------------------------

  private void gemm(OnnxNode node) {
    node.require("alpha", 1, 1);
    node.require("beta", 1, 1);
    node.require("transA", 0, 0);
    ConstantTensor weights = constants.floats(node, 1, 2);
    ConstantTensor byOutput = node.whole("transB", 0) == 0 ? weights.transposed() : weights;
    int outputs = (int) byOutput.sides()[0];
    dense(
        node,
        byOutput,
        node.hasInput(2) ? Optional.of(constants.row(node, 2, outputs)) : Optional.empty());
  }

  private int matMul(OnnxNode node, List<OnnxNode> nodes) {
    ConstantTensor byOutput = constants.floats(node, 1, 2).transposed();
    int outputs = (int) byOutput.sides()[0];
    if (nodes.size() == 1 || !nodes.get(1).is("Add")) {
      dense(node, byOutput, Optional.empty());
      return 1;
    }
    OnnxNode sum = nodes.get(1);
    int bias = sum.input(0).equals(node.output()) ? 1 : 0;
    if (!sum.input(1 - bias).equals(node.output())) {
      throw sum.refused("adds no constant to the product before it: must add a row of biases");
    }
    dense(node, byOutput, Optional.of(constants.row(sum, bias, outputs)));
    return 2;
  }

  private void dense(OnnxNode node, ConstantTensor byOutput, Optional<float[]> bias) {
    int inputs = chain.takeRow();
    if (byOutput.sides()[1] != inputs) {
      throw node.refused(
          "weights of %d inputs: must be %d, the outputs of the previous layer"
              .formatted(byOutput.sides()[1], inputs));
    }
    int outputs = (int) byOutput.sides()[0];
    DenseLayer layer =
        new DenseLayer.Builder()
            .nIn(inputs)
            .nOut(outputs)
            .hasBias(bias.isPresent())
            .activation(Activation.IDENTITY)
            .build();
    chain.addRows(layer, outputs, byOutput.floats(), bias.orElse(new float[0]));
  }

  private void softmax(OnnxNode node) {
    long axis = node.whole("axis", -1);
    if (chain.sides().length != 1 || (axis != 1 && axis != -1)) {
      throw node.refused("not over all numbers of a sample: samples must be rows, and the axis 1");
    }
    chain.activate(new ActivationSoftmax());
  }

  // ---- images ----------------------------------------------------------------------------------

  private void convolution(OnnxNode node) {
    ConstantTensor weights = constants.floats(node, 1, 4);
    node.require("group", 1, 1);
    int[] sizes = Arrays.stream(weights.sides()).mapToInt(Math::toIntExact).toArray();
    int[] kernel = {sizes[2], sizes[3]};
    if (!Arrays.equals(node.lengths("kernel_shape", 1, kernel), kernel)) {
      throw node.refused(
          "kernel_shape: must be %s, that of the weights".formatted(Arrays.toString(kernel)));
    }
    OnnxWindow window = OnnxWindow.of(node, kernel);
    if (!window.isSymmetric()) {
      pad(window.padding());
      window = window.withoutPadding();
    }
    ImageShape image = chain.takeImage();
    if (sizes[1] != image.channels()) {
      throw node.refused(
          "weights of %d channels: must be %d, those of the previous layer"
              .formatted(sizes[1], image.channels()));
    }
    float[] bias = node.hasInput(2) ? constants.row(node, 2, sizes[0]) : new float[0];
    ConvolutionLayer layer =
        new ConvolutionLayer.Builder(kernel)
            .stride(window.stride())
            .padding(window.firstPadding())
            .dilation(window.dilation())
            .convolutionMode(window.mode())
            .nIn(sizes[1])
            .nOut(sizes[0])
            .hasBias(node.hasInput(2))
            .activation(Activation.IDENTITY)
            .build();
    chain.addImages(layer, window.over(node, image, sizes[0]), bias, weights.floats());
  }

  private void pooling(OnnxNode node, PoolingType type) {
    int[] kernel = node.lengths("kernel_shape", 1, 0, 0);
    OnnxWindow window = OnnxWindow.of(node, kernel);
    if (!window.isSymmetric()
        || window.padding()[0] >= kernel[0]
        || window.padding()[1] >= kernel[1]) {
      throw node.refused(
          "pads %s: must be equal at both ends, and smaller than the kernel"
              .formatted(Arrays.toString(window.padding())));
    }
    if (type == PoolingType.AVG && window.isDilated()) {
      throw node.refused("dilations: must be 1");
    }
    ImageShape image = chain.takeImage();
    SubsamplingLayer layer =
        new SubsamplingLayer.Builder(type)
            .kernelSize(kernel)
            .stride(window.stride())
            .padding(window.firstPadding())
            .dilation(window.dilation())
            .convolutionMode(window.mode())
            .avgPoolIncludePadInDivisor(node.whole("count_include_pad", 0) != 0)
            .build();
    chain.addImages(layer, window.over(node, image, image.channels()));
  }

  /**
   * Adds a pooling over all positions of each channel, whose output is rows.
   *
   * @param sides number of dimensions of the result in ONNX: the channels, and 1 for each other
   *     dimension
   */
  private void globalPooling(int channels, int sides, PoolingType type) {
    chain.addRows(new GlobalPoolingLayer.Builder(type).build(), channels);
    long[] result = new long[sides];
    Arrays.fill(result, 1);
    result[0] = channels;
    chain.reshape(result);
  }

  private void reduction(OnnxNode node, PoolingType type) {
    int sides = chain.sides().length;
    boolean[] reduced = OnnxViews.marked(node, views.axes(node), sides + 1);
    if (sides == 1 || reduced[1] || !isAllFrom(2, reduced)) {
      throw node.refused("axes: must be all except those of samples and channels");
    }
    boolean keepsSides = node.whole("keepdims", 1) != 0;
    globalPooling(chain.takePlanes(), keepsSides ? sides : 1, type);
  }

  private static boolean isAllFrom(int first, boolean[] marked) {
    boolean all = true;
    for (int i = first; i < marked.length; i++) {
      all &= marked[i];
    }
    return all;
  }

  private void padding(OnnxNode node) {
    if (!node.word("mode", "constant").equals("constant")
        || node.hasInput(3)
        || node.number("value", 0) != 0
        || (node.hasInput(2) && !constants.isNumber(node, 2, 0))) {
      throw node.refused("must have mode constant, the value 0, and no axes");
    }
    long[] pads =
        node.hasInput(1) ? constants.wholes(node, 1) : node.wholes("pads").orElse(new long[0]);
    boolean fits = pads.length == 8 && pads[0] + pads[1] + pads[4] + pads[5] == 0;
    if (!fits || Arrays.stream(pads).anyMatch(pad -> pad < 0 || pad > OnnxWindow.MAX_LENGTH)) {
      throw node.refused(
          "pads %s: must be pads of height and width only".formatted(Arrays.toString(pads)));
    }
    pad((int) pads[2], (int) pads[3], (int) pads[6], (int) pads[7]);
  }

  /** Pads images with zeros: above, left, below, right. */
  private void pad(int... zeros) {
    ImageShape image = chain.takeImage();
    ImageShape padded =
        new ImageShape(
            image.channels(),
            image.height() + zeros[0] + zeros[2],
            image.width() + zeros[1] + zeros[3]);
    chain.addImages(
        new ZeroPaddingLayer.Builder(zeros[0], zeros[2], zeros[1], zeros[3]).build(), padded);
  }

  // ---- normalization ---------------------------------------------------------------------------

  private void normalization(OnnxNode node) {
    if (node.whole("training_mode", 0) != 0 || node.outputs() > 1) {
      throw node.refused("in training mode; call model.eval() before the export");
    }
    // An attribute of version 7 of the operators.
    node.require("spatial", 1, 1);
    long[] sides = chain.sides();
    boolean isRow = sides.length < 3 && sides[0] == chain.size();
    if (isRow) {
      // Older versions of PyTorch export rows as sequences of one step.
      chain.reshape(sides[0]);
    }
    int channels = isRow ? chain.takeRow() : chain.takeImage().channels();
    BatchNormalization layer =
        new BatchNormalization.Builder()
            .nIn(channels)
            .nOut(channels)
            .eps(node.number("epsilon", EPSILON))
            .decay(node.number("momentum", MOMENTUM))
            .useLogStd(false)
            .build();
    chain.add(
        layer,
        constants.row(node, 1, channels),
        constants.row(node, 2, channels),
        constants.row(node, 3, channels),
        constants.row(node, 4, channels));
    chain.reshape(sides);
  }
}
