package dev.braid.learner.onnx.reader;

import dev.braid.learner.InvalidModelException;
import dev.braid.learner.Shape;
import dev.braid.learner.optimiser.UpdaterSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import onnx.Onnx.GraphProto;
import onnx.Onnx.TensorProto;
import onnx.Onnx.TensorShapeProto.Dimension;
import onnx.Onnx.ValueInfoProto;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;

/**
 * Follows the nodes of a graph from its input to its output. The input of each node must be the
 * output of the node before it.
 */
final class GraphReader {

  /** Learning rate of preset {@code cnn} for classes, the lowest of the presets. */
  private static final double RATE_OF_CLASSES = 0.01;

  private static final double RATE_OF_VALUES = 0.001;

  private final String model;
  private final GraphProto graph;
  private final OnnxConstants constants;
  private final LayerChain chain;
  private final OnnxOperators operators;

  /** Shapes of samples by the name of the value, for the nodes that have been read. */
  private final Map<String, long[]> shapes = new HashMap<>();

  /** Name of the value that the next node must take. */
  private String value;

  /**
   * @param model the user's name for the model, for messages
   */
  GraphReader(String model, GraphProto graph) {
    this.model = model;
    this.graph = graph;
    constants = new OnnxConstants(graph.getInitializerList());
    // Older files list initializers as inputs, too.
    List<ValueInfoProto> inputs =
        graph.getInputList().stream().filter(it -> !constants.has(it.getName())).toList();
    if (inputs.size() != 1 || graph.getOutputCount() != 1) {
      throw OnnxReader.refused(
          model,
          "%d inputs and %d outputs: must be one of each"
              .formatted(inputs.size(), graph.getOutputCount()));
    }
    ValueInfoProto input = inputs.get(0);
    value = input.getName();
    List<Dimension> sides = input.getType().getTensorType().getShape().getDimList();
    if (input.getType().getTensorType().getElemType() != TensorProto.DataType.FLOAT.getNumber()
        || sides.size() < 2
        || sides.stream().skip(1).anyMatch(side -> side.getDimValue() < 1)) {
      throw OnnxReader.refused(
          model,
          ("input %s: must be float32 numbers, with samples as first dimension and all others of "
                  + "fixed length")
              .formatted(InvalidModelException.shorten(value)));
    }
    chain = new LayerChain(sides.stream().skip(1).mapToLong(Dimension::getDimValue).toArray());
    operators =
        new OnnxOperators(
            constants, chain, new OnnxViews(constants, chain, sides.get(0).getDimValue()));
  }

  /**
   * Reads the whole graph.
   *
   * @param shape the shape of the samples
   * @param seed seed of the configuration
   */
  OnnxReader.Network read(Shape shape, long seed) {
    List<OnnxNode> nodes = computed();
    shapes.put(value, chain.sides());
    int at = 0;
    while (at < nodes.size()) {
      List<OnnxNode> rest = nodes.subList(at, nodes.size());
      at += rest.get(0).reading(() -> step(rest));
    }
    if (nodes.isEmpty() || !value.equals(graph.getOutput(0).getName())) {
      throw OnnxReader.refused(
          model,
          "output %s: must be that of the last node, %s"
              .formatted(
                  InvalidModelException.shorten(graph.getOutput(0).getName()),
                  InvalidModelException.shorten(value)));
    }
    OnnxNode last = nodes.get(nodes.size() - 1);
    var unused = last.reading(() -> chain.replaceLast(OutputChoice.of(last, chain, shape)));
    double rate = shape.hasValues() ? RATE_OF_VALUES : RATE_OF_CLASSES;
    NeuralNetConfiguration.ListBuilder list =
        new NeuralNetConfiguration.Builder()
            .seed(seed)
            .updater(UpdaterSpec.of("momentum", OptionalDouble.of(rate)).toDeeplearning4j())
            .list();
    chain.addTo(list);
    MultiLayerConfiguration configuration = list.build();
    // By these names Deeplearning4j's JSON determines whether a normalisation has variances.
    for (NeuralNetConfiguration conf : configuration.getConfs()) {
      conf.getLayer().initializer().paramKeys(conf.getLayer()).forEach(conf::addVariable);
    }
    return new OnnxReader.Network(configuration, chain.parameters());
  }

  /** Returns the nodes whose inputs are not all constants. */
  private List<OnnxNode> computed() {
    List<OnnxNode> computed = new ArrayList<>();
    IntStream.range(0, graph.getNodeCount())
        .mapToObj(i -> new OnnxNode(model, i, graph.getNode(i)))
        .forEach(
            node -> {
              if (!node.isStandard()) {
                throw node.refused(
                    "an operator of an extension: must be an operator of ONNX itself");
              }
              if (!node.reading(() -> constants.fold(node))) {
                computed.add(node);
              }
            });
    return computed;
  }

  /** Reads one or more nodes; returns their number. */
  private int step(List<OnnxNode> nodes) {
    OnnxNode node = nodes.get(0);
    // computed() has folded all other constants. A node that can be folded only here is computed
    // from the shape of a value.
    if (constants.fold(node)) {
      return 1;
    }
    if (node.is("Shape") && shapes.containsKey(node.input(0))) {
      constants.put(node.output(), ConstantTensor.row(shapeOf(node)));
      return 1;
    }
    boolean isNext = node.is("Mul") ? node.inputs().contains(value) : node.input(0).equals(value);
    if (!isNext) {
      throw node.refused(
          ("takes %s: must take the output of the node before it, %s; Braid trains layers without "
                  + "branches")
              .formatted(
                  InvalidModelException.shorten(node.input(0)),
                  InvalidModelException.shorten(value)));
    }
    int count = operators.read(value, nodes);
    value = nodes.get(count - 1).output();
    shapes.put(value, chain.sides());
    return count;
  }

  private long[] shapeOf(OnnxNode node) {
    long[] all =
        LongStream.concat(
                LongStream.of(OnnxViews.SAMPLES), LongStream.of(shapes.get(node.input(0))))
            .toArray();
    long start = node.whole("start", 0);
    long end = node.whole("end", all.length);
    long from = start < 0 ? start + all.length : start;
    long to = end < 0 ? end + all.length : end;
    return LongStream.of(all).skip(Math.max(0, from)).limit(Math.max(0, to - from)).toArray();
  }
}
