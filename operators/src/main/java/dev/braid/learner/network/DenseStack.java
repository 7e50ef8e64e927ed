package dev.braid.learner.network;

import dev.braid.learner.layer.ImageLayer;
import dev.braid.learner.layer.LayerSequence;
import dev.braid.learner.layer.Pass;
import dev.braid.learner.structure.DenseShape;
import dev.braid.learner.structure.ModelStack;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.FloatPointer;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * The fully connected layers at a model's end, with its loss. Who has them computes the first
 * layer's products, as it knows what form its inputs have; the stack does the rest.
 */
final class DenseStack {

  private final int length;
  private final INDArray weightArray;
  private final INDArray gradientArray;
  private final List<DenseStage> stages = new ArrayList<>();
  private final List<DenseActivation> activations = new ArrayList<>();

  /** What is between each stage's activations and the next one's product. */
  private final List<LayerSequence> between = new ArrayList<>();

  private final DenseLoss loss;

  /**
   * The fully connected layers of a model that is a {@link ModelStack}.
   *
   * @param between what is between each of them and the next
   */
  DenseStack(MultiLayerConfiguration model, List<List<ImageLayer>> between) {
    List<DenseShape> shapes = ModelStack.dense(model);
    this.length = shapes.get(shapes.size() - 1).end();
    this.weightArray = Nd4j.create(DataType.FLOAT, length);
    this.gradientArray = Nd4j.create(DataType.FLOAT, length);
    shapes.forEach(shape -> stages.add(new DenseStage(shape, weightArray, gradientArray)));
    for (NeuralNetConfiguration conf : model.getConfs()) {
      if (conf.getLayer() instanceof DenseLayer layer) {
        activations.add(DenseActivation.of(layer.getActivationFn()));
      }
    }
    for (int i = 0; i < between.size(); i++) {
      this.between.add(new LayerSequence(between.get(i), stages.get(i).outputs, true));
    }
    OutputLayer output = (OutputLayer) model.getConf(model.getConfs().size() - 1).getLayer();
    this.loss = DenseLoss.of(output.getActivationFn(), output.getLossFn());
  }

  /** How many parameters the model has, to the end of these layers. */
  int length() {
    return length;
  }

  DenseStage first() {
    return stages.get(0);
  }

  DenseStage last() {
    return stages.get(stages.size() - 1);
  }

  /** Makes room for {@code rows} samples. */
  void reserve(int rows) {
    stages.forEach(stage -> stage.reserve(rows));
    between.forEach(layers -> layers.reserve(rows));
  }

  /** Takes all weights but those of the first layer's products. */
  void takeUpperWeights(float[] weights) {
    between.forEach(layers -> layers.takeWeights(weights));
    stages.forEach(stage -> stage.takeBiases(weights));
    stages.stream().skip(1).forEach(stage -> stage.takeWeights(weights));
  }

  /**
   * Goes on from the {@link #first} stage's product.
   *
   * @return the sum of the samples' losses
   */
  double forward(Pass pass) {
    for (int i = 1; i < stages.size(); i++) {
      DenseStage below = stages.get(i - 1);
      activations.get(i - 1).forward(below, pass.samples());
      forward(pass, between.get(i - 1), below);
      stages.get(i).product(below.output, pass.samples());
    }
    return loss.forward(last(), pass.batch().targets(), pass.first(), pass.samples());
  }

  /** Goes back to the {@link #first} stage's delta, and writes the gradients of the others. */
  void backward(Pass pass, float[] gradient) {
    int rows = pass.samples();
    loss.backward(last(), pass.batch().targets(), rows);
    pass.batch()
        .combination()
        .filter(combination -> !combination.isPlain())
        .ifPresent(combination -> last().scaleDelta(combination.coefficients()));
    for (int i = stages.size() - 1; i > 0; i--) {
      DenseStage below = stages.get(i - 1);
      FloatPointer input = below.output;
      stages.get(i).gradient(input, rows, gradient);
      stages.get(i).backpropagate(below.delta, rows);
      backward(pass, between.get(i - 1), below, gradient);
      activations.get(i - 1).backward(below, rows);
    }
  }

  /** The stage's own rows stay: its activation needs them on the way back. */
  private static void forward(Pass pass, LayerSequence layers, DenseStage stage) {
    if (!layers.isEmpty()) {
      int length = pass.samples() * stage.outputs;
      stage.output.get(layers.input(), 0, length);
      layers.forward(pass);
      stage.output.put(layers.output(), 0, length);
    }
  }

  private static void backward(
      Pass pass, LayerSequence layers, DenseStage stage, float[] gradient) {
    if (!layers.isEmpty()) {
      int length = pass.samples() * stage.outputs;
      stage.delta.get(layers.outputDelta(), 0, length);
      layers.backward(pass, gradient);
      stage.delta.put(layers.inputDelta(), 0, length);
    }
  }

  void close() {
    stages.forEach(DenseStage::close);
    activations.forEach(DenseActivation::close);
    between.forEach(LayerSequence::close);
    loss.close();
    weightArray.close();
    gradientArray.close();
  }
}
