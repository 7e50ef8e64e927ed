package dev.braid.learner;

import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.FloatPointer;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
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
  private final DenseLoss loss;

  /**
   * The last layers of a model.
   *
   * @param layers the shapes of all of them
   */
  DenseStack(MultiLayerConfiguration model, List<DenseShape> layers) {
    this.length = layers.get(layers.size() - 1).end();
    this.weightArray = Nd4j.create(DataType.FLOAT, length);
    this.gradientArray = Nd4j.create(DataType.FLOAT, length);
    int last = model.getConfs().size() - 1;
    int first = model.getConfs().size() - layers.size();
    for (int i = 0; i < layers.size(); i++) {
      stages.add(new DenseStage(layers.get(i), weightArray, gradientArray));
      if (model.getConf(first + i).getLayer() instanceof DenseLayer layer) {
        activations.add(DenseActivation.of(layer.getActivationFn()));
      }
    }
    OutputLayer output = (OutputLayer) model.getConf(last).getLayer();
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
  }

  /** Takes all biases, and the weights of all layers but the first. */
  void takeUpperWeights(float[] weights) {
    stages.forEach(stage -> stage.takeBiases(weights));
    stages.stream().skip(1).forEach(stage -> stage.takeWeights(weights));
  }

  /**
   * Goes on from the {@link #first} stage's product.
   *
   * @param firstRow the index of the first row's label
   * @return the sum of the rows' losses
   */
  double forward(int[] labels, int firstRow, int rows) {
    for (int i = 1; i < stages.size(); i++) {
      DenseStage below = stages.get(i - 1);
      activations.get(i - 1).forward(below, rows);
      stages.get(i).product(below.output, rows);
    }
    return loss.forward(last(), labels, firstRow, rows);
  }

  /** Goes back to the {@link #first} stage's delta, and writes the gradients of the others. */
  void backward(int[] labels, int rows, float[] gradient) {
    loss.backward(last(), labels, rows);
    for (int i = stages.size() - 1; i > 0; i--) {
      DenseStage below = stages.get(i - 1);
      FloatPointer input = below.output;
      stages.get(i).gradient(input, rows, gradient);
      stages.get(i).backpropagate(below.delta, rows);
      activations.get(i - 1).backward(below, rows);
    }
  }

  void close() {
    stages.forEach(DenseStage::close);
    activations.forEach(DenseActivation::close);
    loss.close();
    weightArray.close();
    gradientArray.close();
  }
}
