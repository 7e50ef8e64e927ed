package dev.braid.learner.network;

import dev.braid.learner.layer.ImageLayer;
import dev.braid.learner.layer.LayerSequence;
import dev.braid.learner.layer.Pass;
import dev.braid.learner.matrix.MatrixMultiplier;
import dev.braid.learner.structure.DenseShape;
import dev.braid.learner.structure.ModelStack;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;

/**
 * The fully connected layers at a model's end, with its loss. The caller computes the first layer's
 * products, because it knows the form of their inputs; the stack does the rest.
 */
final class DenseStack {

  private final int length;
  private final List<DenseStage> stages = new ArrayList<>();
  private final List<DenseActivation> activations = new ArrayList<>();

  /** The layers between each stage's activations and the next stage's product. */
  private final List<LayerSequence> between = new ArrayList<>();

  private final DenseLoss loss;

  /**
   * Creates the fully connected layers of a model that is a {@link ModelStack}.
   *
   * @param between the layers between each fully connected layer and the next
   * @param multipliers creates the multiplier of a layer
   */
  DenseStack(
      MultiLayerConfiguration model,
      List<List<ImageLayer>> between,
      Supplier<MatrixMultiplier> multipliers) {
    List<DenseShape> shapes = ModelStack.dense(model);
    this.length = shapes.get(shapes.size() - 1).end();
    shapes.forEach(shape -> stages.add(new DenseStage(shape, multipliers.get())));
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

  /** Returns the number of the model's parameters, up to the end of these layers. */
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

  /** Copies the weights at the start of a call, except for those of the layers' products. */
  void takeWeights(float[] weights) {
    between.forEach(layers -> layers.takeWeights(weights));
    stages.forEach(stage -> stage.takeBiases(weights));
  }

  /**
   * Continues from the {@link #first} stage's product to the loss.
   *
   * @return the sum of the samples' losses, times their weights
   */
  double forward(float[] weights, Pass pass) {
    propagate(weights, pass);
    return loss.forward(last(), pass.batch().targets(), pass.first(), pass.samples());
  }

  /** Continues from the {@link #first} stage's product to the outputs, without a loss. */
  void score(float[] weights, Pass pass) {
    propagate(weights, pass);
    loss.activate(last(), pass.samples());
  }

  private void propagate(float[] weights, Pass pass) {
    int rows = pass.samples();
    for (int i = 1; i < stages.size(); i++) {
      DenseStage below = stages.get(i - 1);
      activations.get(i - 1).forward(below, rows);
      LayerSequence layers = between.get(i - 1);
      if (!layers.isEmpty()) {
        // The stage's own rows must not change, because its activation needs them in the backward
        // pass.
        System.arraycopy(below.outputRows, 0, layers.input(), 0, rows * below.outputs);
        layers.forward(pass);
      }
      stages.get(i).product(input(i), 0, weights, rows);
    }
    last().addBiases(rows);
  }

  /** Returns the input of a stage other than the first. */
  private float[] input(int stage) {
    LayerSequence layers = between.get(stage - 1);
    return layers.isEmpty() ? stages.get(stage - 1).outputRows : layers.output();
  }

  /** Computes the {@link #first} stage's delta, and writes the gradients of the other stages. */
  void backward(float[] weights, Pass pass, float[] gradient) {
    int rows = pass.samples();
    loss.backward(last(), pass.batch().targets(), rows);
    last().scaleDelta(pass.batch().targets().weights());
    pass.batch()
        .combination()
        .filter(combination -> !combination.isPlain())
        .ifPresent(combination -> last().scaleDelta(combination.coefficients()));
    for (int i = stages.size() - 1; i > 0; i--) {
      DenseStage below = stages.get(i - 1);
      LayerSequence layers = between.get(i - 1);
      stages.get(i).gradient(input(i), 0, rows, gradient);
      if (layers.isEmpty()) {
        stages.get(i).backpropagate(weights, below.deltaRows, rows);
      } else {
        stages.get(i).backpropagate(weights, layers.outputDelta(), rows);
        layers.backward(pass, gradient);
        System.arraycopy(layers.inputDelta(), 0, below.deltaRows, 0, rows * below.outputs);
      }
      activations.get(i - 1).backward(below, rows);
    }
  }

  void close() {
    stages.forEach(DenseStage::close);
    activations.forEach(DenseActivation::close);
    between.forEach(LayerSequence::close);
    loss.close();
  }
}
