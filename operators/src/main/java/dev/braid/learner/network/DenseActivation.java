package dev.braid.learner.network;

import dev.braid.learner.layer.RectifierLoops;
import dev.braid.learner.math.NativeVectors;
import dev.braid.learner.math.NativeWorkspace;
import dev.braid.learner.structure.Activations;
import org.nd4j.linalg.activations.IActivation;
import org.nd4j.linalg.activations.impl.ActivationIdentity;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * What a hidden layer of a {@link DenseLearner} does to its products. Native memory and heap hold
 * the same rows after each call.
 */
interface DenseActivation {

  /** From products in {@code outputRows} to activations in {@code output}. */
  void forward(DenseStage stage, int rows);

  /** In {@code delta}: from the activations' gradient to the products', also in heap. */
  void backward(DenseStage stage, int rows);

  default void close() {}

  /** Loops of Braid's own where they are faster, ND4J's function otherwise. */
  static DenseActivation of(IActivation function) {
    if (Activations.isPlainRectifier(function)) {
      return new Rectifier();
    }
    return function instanceof ActivationIdentity ? new Identity() : new Function(function);
  }

  /** {@code max(0, x)}: two copies and a loop take a fifth of the time of ND4J's operation. */
  final class Rectifier implements DenseActivation {
    @Override
    public void forward(DenseStage stage, int rows) {
      int length = rows * stage.outputs;
      RectifierLoops.rectify(stage.outputRows, length);
      stage.output.put(stage.outputRows, 0, length);
    }

    @Override
    public void backward(DenseStage stage, int rows) {
      int length = rows * stage.outputs;
      stage.delta.get(stage.deltaRows, 0, length);
      RectifierLoops.mask(stage.deltaRows, stage.outputRows, length);
      stage.delta.put(stage.deltaRows, 0, length);
    }
  }

  /** Nothing. */
  final class Identity implements DenseActivation {
    @Override
    public void forward(DenseStage stage, int rows) {
      stage.output.put(stage.outputRows, 0, rows * stage.outputs);
    }

    @Override
    public void backward(DenseStage stage, int rows) {
      stage.delta.get(stage.deltaRows, 0, rows * stage.outputs);
    }
  }

  /** Any of ND4J's functions. */
  final class Function implements DenseActivation {
    private final IActivation function;
    private INDArray products = Nd4j.createUninitialized(DataType.FLOAT, 1, 1);

    Function(IActivation function) {
      this.function = function;
    }

    @Override
    public void forward(DenseStage stage, int rows) {
      int length = rows * stage.outputs;
      stage.output.put(stage.outputRows, 0, length);
      INDArray output = stage.outputArray(rows);
      if (products.rows() != rows || products.columns() != stage.outputs) {
        products.close();
        products = Nd4j.createUninitialized(DataType.FLOAT, rows, stage.outputs);
      }
      NativeVectors.pointer(products).put(stage.outputRows, 0, length);
      NativeWorkspace.run(
          () -> {
            INDArray activations = function.getActivation(output, true);
            if (activations != output) {
              output.assign(activations);
            }
          });
      stage.output.get(stage.outputRows, 0, length);
    }

    @Override
    public void backward(DenseStage stage, int rows) {
      INDArray delta = stage.deltaArray(rows);
      NativeWorkspace.run(
          () -> {
            // May overwrite the products, which nothing needs after this.
            INDArray result = function.backprop(products, delta).getFirst();
            if (result != delta) {
              delta.assign(result);
            }
          });
      stage.delta.get(stage.deltaRows, 0, rows * stage.outputs);
    }

    @Override
    public void close() {
      products.close();
    }
  }
}
