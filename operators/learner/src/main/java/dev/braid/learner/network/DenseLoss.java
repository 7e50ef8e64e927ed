package dev.braid.learner.network;

import dev.braid.learner.Targets;
import dev.braid.learner.math.NativeWorkspace;
import dev.braid.learner.model.ModelCheck;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import org.nd4j.linalg.activations.IActivation;
import org.nd4j.linalg.activations.impl.ActivationIdentity;
import org.nd4j.linalg.activations.impl.ActivationSoftmax;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.lossfunctions.ILossFunction;
import org.nd4j.linalg.lossfunctions.impl.LossMCXENT;

/** The last layer's activation and loss in a {@link DenseStack}. */
interface DenseLoss {

  /**
   * Replaces the products in {@code outputRows} by activations, and computes the loss.
   *
   * @param targets the targets of the samples
   * @param first index in {@code targets} of the first row's sample
   * @return the sum of the rows' losses times the weights of their samples
   */
  double forward(DenseStage stage, Targets targets, int first, int rows);

  /**
   * Writes the gradient by products to {@code deltaRows}, without the weights of samples. Must be
   * called after {@link #forward} for the same rows.
   */
  void backward(DenseStage stage, Targets targets, int rows);

  /**
   * Replaces the products in {@code outputRows} by activations, without computing a loss. The
   * activations may differ from those of {@link #forward} by rounding.
   */
  void activate(DenseStage stage, int rows);

  default void close() {}

  static DenseLoss of(IActivation activation, ILossFunction loss) {
    if (activation instanceof ActivationSoftmax && loss instanceof LossMCXENT crossEntropy) {
      float[] weights =
          crossEntropy.getWeights() == null
              ? new float[0]
              : crossEntropy.getWeights().toFloatVector();
      return new SoftmaxCrossEntropy(crossEntropy.getSoftmaxClipEps(), weights);
    }
    return new Function(activation, loss);
  }

  /**
   * Softmax and cross entropy. Their combined gradient is {@code p - y}, times the weight of the
   * sample's class. Exponentials come from {@link StrictMath}, whose bits do not depend on the
   * processor or the compiler.
   */
  final class SoftmaxCrossEntropy implements DenseLoss {
    private final double clip;
    private final float[] classWeights;

    /**
     * @param clip smallest distance of a probability from 0 and 1 in the loss (not in the gradient)
     * @param classWeights one weight per class; empty if all are 1
     */
    SoftmaxCrossEntropy(double clip, float[] classWeights) {
      this.clip = clip;
      this.classWeights = classWeights;
    }

    @Override
    public double forward(DenseStage stage, Targets targets, int first, int rows) {
      int[] labels = labels(targets);
      double lossSum = 0;
      for (int r = 0; r < rows; r++) {
        int start = r * stage.outputs;
        softmax(stage.outputRows, start, stage.outputs, StrictMath::exp);
        int label = labels[first + r];
        lossSum += targets.weight(first + r) * loss(label, stage.outputRows[start + label]);
      }
      return lossSum;
    }

    /**
     * Returns the classes of samples. {@link ModelCheck} accepts this loss only for samples with
     * classes.
     */
    private static int[] labels(Targets targets) {
      return ((Targets.Classes) targets).labels();
    }

    /**
     * Returns the loss of a sample of class {@code label} for which the model computed this
     * probability.
     */
    double loss(int label, double probability) {
      double loss = -StrictMath.log(Math.max(clip, Math.min(1 - clip, probability)));
      return classWeights.length == 0 ? loss : classWeights[label] * loss;
    }

    @Override
    public void backward(DenseStage stage, Targets targets, int rows) {
      int[] labels = labels(targets);
      System.arraycopy(stage.outputRows, 0, stage.deltaRows, 0, rows * stage.outputs);
      for (int r = 0; r < rows; r++) {
        stage.deltaRows[r * stage.outputs + labels[r]] -= 1;
      }
      if (classWeights.length > 0) {
        float[] ofRows = new float[rows];
        for (int r = 0; r < rows; r++) {
          ofRows[r] = classWeights[labels[r]];
        }
        stage.scaleDelta(ofRows);
      }
    }

    @Override
    public void activate(DenseStage stage, int rows) {
      for (int r = 0; r < rows; r++) {
        softmax(stage.outputRows, r * stage.outputs, stage.outputs, Math::exp);
      }
    }

    private static void softmax(
        float[] rows, int start, int length, DoubleUnaryOperator exponential) {
      float max = Float.NEGATIVE_INFINITY;
      for (int i = start; i < start + length; i++) {
        max = Math.max(max, rows[i]);
      }
      double sum = 0;
      for (int i = start; i < start + length; i++) {
        float power = (float) exponential.applyAsDouble(rows[i] - max);
        rows[i] = power;
        sum += power;
      }
      float scale = (float) (1 / sum);
      for (int i = start; i < start + length; i++) {
        rows[i] *= scale;
      }
    }
  }

  /** Any ND4J activation and loss. */
  final class Function implements DenseLoss {
    private final IActivation activation;
    private final ILossFunction loss;
    private final NativeRows products = new NativeRows();
    private final NativeRows wanted = new NativeRows();
    private final NativeRows output = new NativeRows();
    private final NativeRows weights = new NativeRows();
    private float[] wantedRows = {};

    Function(IActivation activation, ILossFunction loss) {
      this.activation = activation;
      this.loss = loss;
    }

    @Override
    public double forward(DenseStage stage, Targets targets, int first, int rows) {
      int columns = stage.outputs;
      if (wantedRows.length < rows * columns) {
        wantedRows = new float[rows * columns];
      }
      targets.copyRows(first, rows, columns, wantedRows);
      INDArray targetRows = wanted.take(wantedRows, rows, columns);
      INDArray input = products.take(stage.outputRows, rows, columns);
      INDArray result = output.take(stage.outputRows, rows, columns);
      // ND4J multiplies each row's loss by its mask.
      INDArray mask =
          targets.weights().length == 0
              ? null
              : weights.take(Arrays.copyOfRange(targets.weights(), first, first + rows), rows, 1);
      double[] lossSum = new double[1];
      NativeWorkspace.run(
          () -> {
            lossSum[0] = loss.computeScore(targetRows, input.dup(), activation, mask, false);
            DenseActivation.apply(activation, result);
          });
      output.give(stage.outputRows);
      return lossSum[0];
    }

    @Override
    public void activate(DenseStage stage, int rows) {
      if (activation instanceof ActivationIdentity) {
        return;
      }
      INDArray result = output.take(stage.outputRows, rows, stage.outputs);
      NativeWorkspace.run(() -> DenseActivation.apply(activation, result));
      output.give(stage.outputRows);
    }

    @Override
    public void backward(DenseStage stage, Targets targets, int rows) {
      NativeWorkspace.run(
          () ->
              output
                  .array()
                  .assign(
                      loss.computeGradient(wanted.array(), products.array(), activation, null)));
      output.give(stage.deltaRows);
    }

    @Override
    public void close() {
      products.close();
      wanted.close();
      output.close();
      weights.close();
    }
  }
}
