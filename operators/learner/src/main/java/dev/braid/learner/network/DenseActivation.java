package dev.braid.learner.network;

import dev.braid.learner.layer.RectifierLoops;
import dev.braid.learner.math.NativeWorkspace;
import dev.braid.learner.structure.Activations;
import org.nd4j.linalg.activations.IActivation;
import org.nd4j.linalg.activations.impl.ActivationIdentity;
import org.nd4j.linalg.api.ndarray.INDArray;

/** The activation of a hidden layer of a {@link DenseStack}. */
interface DenseActivation {

  /** Replaces the products without biases in {@code outputRows} by activations. */
  void forward(DenseStage stage, int rows);

  /** Replaces the gradient by activations in {@code deltaRows} by the gradient by products. */
  void backward(DenseStage stage, int rows);

  default void close() {}

  /**
   * Returns Braid's own loop for a function if there is a faster one, otherwise ND4J's function.
   */
  static DenseActivation of(IActivation function) {
    if (Activations.isPlainRectifier(function)) {
      return new Rectifier();
    }
    return function instanceof ActivationIdentity ? new Identity() : new Function(function);
  }

  /** Applies an ND4J function in place, in the caller's workspace. */
  static void apply(IActivation function, INDArray values) {
    INDArray activations = function.getActivation(values, true);
    if (activations != values) {
      values.assign(activations);
    }
  }

  /** The function {@code max(0, x)}: a loop takes a tenth of the time of ND4J's operation. */
  final class Rectifier implements DenseActivation {
    @Override
    public void forward(DenseStage stage, int rows) {
      stage.addBiasesAndRectify(rows);
    }

    @Override
    public void backward(DenseStage stage, int rows) {
      RectifierLoops.mask(stage.deltaRows, stage.outputRows, rows * stage.outputs);
    }
  }

  /** The identity: only biases are added. */
  final class Identity implements DenseActivation {
    @Override
    public void forward(DenseStage stage, int rows) {
      stage.addBiases(rows);
    }

    @Override
    public void backward(DenseStage stage, int rows) {}
  }

  /** Any ND4J function. */
  final class Function implements DenseActivation {
    private final IActivation function;
    private final NativeRows products = new NativeRows();
    private final NativeRows output = new NativeRows();
    private final NativeRows delta = new NativeRows();

    Function(IActivation function) {
      this.function = function;
    }

    @Override
    public void forward(DenseStage stage, int rows) {
      stage.addBiases(rows);
      products.take(stage.outputRows, rows, stage.outputs);
      INDArray result = output.take(stage.outputRows, rows, stage.outputs);
      NativeWorkspace.run(() -> apply(function, result));
      output.give(stage.outputRows);
    }

    @Override
    public void backward(DenseStage stage, int rows) {
      INDArray result = delta.take(stage.deltaRows, rows, stage.outputs);
      NativeWorkspace.run(
          () -> {
            // Backprop may overwrite the products, which are not needed afterwards.
            INDArray ofProducts = function.backprop(products.array(), result).getFirst();
            if (ofProducts != result) {
              result.assign(ofProducts);
            }
          });
      delta.give(stage.deltaRows);
    }

    @Override
    public void close() {
      products.close();
      output.close();
      delta.close();
    }
  }
}
