package dev.braid.learner;

import org.nd4j.linalg.activations.IActivation;
import org.nd4j.linalg.activations.impl.ActivationIdentity;
import org.nd4j.linalg.activations.impl.ActivationReLU;
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
    if (isPlainRectifier(function)) {
      return new Rectifier();
    }
    return function instanceof ActivationIdentity ? new Identity() : new Function(function);
  }

  /** Whether a function is {@code max(0, x)}, with no bound and no slope. */
  static boolean isPlainRectifier(IActivation function) {
    return function instanceof ActivationReLU relu
        && relu.getMax() == null
        && relu.getThreshold() == null
        && relu.getNegativeSlope() == null;
  }

  /** {@code max(0, x)}: two copies and a loop take a fifth of the time of ND4J's operation. */
  final class Rectifier implements DenseActivation {
    @Override
    public void forward(DenseStage stage, int rows) {
      int length = rows * stage.outputs;
      rectify(stage.outputRows, length);
      stage.output.put(stage.outputRows, 0, length);
    }

    @Override
    public void backward(DenseStage stage, int rows) {
      int length = rows * stage.outputs;
      stage.delta.get(stage.deltaRows, 0, length);
      mask(stage.deltaRows, stage.outputRows, length);
      stage.delta.put(stage.deltaRows, 0, length);
    }

    static void rectify(float[] rows, int length) {
      for (int i = 0; i < length; i++) {
        rows[i] = Math.max(0, rows[i]);
      }
    }

    /** In {@code delta}: 0 where the output is. */
    static void mask(float[] delta, float[] output, int length) {
      for (int i = 0; i < length; i++) {
        // 0 for 0, 1 for anything above (by two steps, for the smallest), NaN for NaN: the one form
        // of this that becomes vector instructions. A branch takes 40 times as long.
        delta[i] *= Math.min(1, output[i] * Float.MAX_VALUE * Float.MAX_VALUE);
      }
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
      DenseLearner.inWorkspace(
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
      DenseLearner.inWorkspace(
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
