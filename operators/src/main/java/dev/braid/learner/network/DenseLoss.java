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

/** The last layer's activation and loss, of a {@link DenseLearner}. */
interface DenseLoss {

  /**
   * From products in {@code outputRows} to the activations there.
   *
   * @param targets what the samples' outputs should be
   * @param first the place of the first row's sample in them
   * @return the sum of the rows' losses times the weights of their samples
   */
  double forward(DenseStage stage, Targets targets, int first, int rows);

  /**
   * Writes the products' gradient, without the weights of samples, after {@link #forward} of the
   * same rows.
   */
  void backward(DenseStage stage, Targets targets, int rows);

  /**
   * Turns the products in {@code outputRows} into activations without computing a loss. The
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
   * Softmax and cross entropy, whose gradient together is {@code p - y}, times the weight of the
   * sample's class. Exponentials are {@link StrictMath}'s: their bits depend on no processor and no
   * compiler.
   */
  final class SoftmaxCrossEntropy implements DenseLoss {
    private final double clip;
    private final float[] classWeights;

    /**
     * @param clip how near to 0 and 1 a probability may come in the loss (not in the gradient)
     * @param classWeights of each class; none for 1 each
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

    /** {@link ModelCheck} lets it be of nothing else. */
    private static int[] labels(Targets targets) {
      return ((Targets.Classes) targets).labels();
    }

    /** The loss of a sample whose class was given this probability. */
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

  /** Any of ND4J's functions. */
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
