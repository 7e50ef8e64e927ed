package dev.braid.learner.network;

import dev.braid.learner.Targets;
import dev.braid.learner.math.NativeVectors;
import dev.braid.learner.math.NativeWorkspace;
import dev.braid.learner.model.ModelCheck;
import org.nd4j.linalg.activations.IActivation;
import org.nd4j.linalg.activations.impl.ActivationSoftmax;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.lossfunctions.ILossFunction;
import org.nd4j.linalg.lossfunctions.impl.LossMCXENT;

/** The last layer's activation and loss, of a {@link DenseLearner}. */
interface DenseLoss {

  /**
   * From products in {@code outputRows} to the activations there.
   *
   * @param targets what the samples' outputs should be
   * @param first the place of the first row's sample in them
   * @return the sum of the rows' losses
   */
  double forward(DenseStage stage, Targets targets, int first, int rows);

  /** Writes the products' gradient, after {@link #forward} of the same rows. */
  void backward(DenseStage stage, Targets targets, int rows);

  default void close() {}

  static DenseLoss of(IActivation activation, ILossFunction loss) {
    if (activation instanceof ActivationSoftmax
        && loss instanceof LossMCXENT crossEntropy
        && crossEntropy.getWeights() == null) {
      return new SoftmaxCrossEntropy(crossEntropy.getSoftmaxClipEps());
    }
    return new Function(activation, loss);
  }

  /**
   * Softmax and cross entropy, whose gradient together is {@code p - y}. Exponentials are {@link
   * StrictMath}'s: their bits depend on no processor and no compiler.
   */
  final class SoftmaxCrossEntropy implements DenseLoss {
    private final double clip;

    /**
     * @param clip how near to 0 and 1 a probability may come in the loss (not in the gradient)
     */
    SoftmaxCrossEntropy(double clip) {
      this.clip = clip;
    }

    @Override
    public double forward(DenseStage stage, Targets targets, int first, int rows) {
      int[] labels = labels(targets);
      double lossSum = 0;
      for (int r = 0; r < rows; r++) {
        int start = r * stage.outputs;
        softmax(stage.outputRows, start, stage.outputs);
        double probability = stage.outputRows[start + labels[first + r]];
        lossSum += loss(probability);
      }
      return lossSum;
    }

    /** {@link ModelCheck} lets it be of nothing else. */
    private static int[] labels(Targets targets) {
      return ((Targets.Classes) targets).labels();
    }

    /** The loss of a sample whose class was given this probability. */
    double loss(double probability) {
      return -StrictMath.log(Math.max(clip, Math.min(1 - clip, probability)));
    }

    @Override
    public void backward(DenseStage stage, Targets targets, int rows) {
      int[] labels = labels(targets);
      int length = rows * stage.outputs;
      System.arraycopy(stage.outputRows, 0, stage.deltaRows, 0, length);
      for (int r = 0; r < rows; r++) {
        stage.deltaRows[r * stage.outputs + labels[r]] -= 1;
      }
      stage.delta.put(stage.deltaRows, 0, length);
    }

    private static void softmax(float[] rows, int start, int length) {
      float max = Float.NEGATIVE_INFINITY;
      for (int i = start; i < start + length; i++) {
        max = Math.max(max, rows[i]);
      }
      double sum = 0;
      for (int i = start; i < start + length; i++) {
        float power = (float) StrictMath.exp(rows[i] - max);
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
    private INDArray products = Nd4j.createUninitialized(DataType.FLOAT, 1, 1);
    private INDArray wanted = Nd4j.createUninitialized(DataType.FLOAT, 1, 1);
    private float[] wantedRows = {0};

    Function(IActivation activation, ILossFunction loss) {
      this.activation = activation;
      this.loss = loss;
    }

    @Override
    public double forward(DenseStage stage, Targets targets, int first, int rows) {
      int length = rows * stage.outputs;
      if (products.rows() != rows || products.columns() != stage.outputs) {
        close();
        products = Nd4j.createUninitialized(DataType.FLOAT, rows, stage.outputs);
        wanted = Nd4j.createUninitialized(DataType.FLOAT, rows, stage.outputs);
        wantedRows = new float[length];
      }
      targets.copyRows(first, rows, stage.outputs, wantedRows);
      NativeVectors.put(wantedRows, wanted);
      stage.output.put(stage.outputRows, 0, length);
      NativeVectors.pointer(products).put(stage.outputRows, 0, length);
      INDArray output = stage.outputArray(rows);
      double[] lossSum = new double[1];
      NativeWorkspace.run(
          () -> {
            lossSum[0] = loss.computeScore(wanted, products.dup(), activation, null, false);
            INDArray activations = activation.getActivation(output, true);
            if (activations != output) {
              output.assign(activations);
            }
          });
      stage.output.get(stage.outputRows, 0, length);
      return lossSum[0];
    }

    @Override
    public void backward(DenseStage stage, Targets targets, int rows) {
      INDArray delta = stage.deltaArray(rows);
      NativeWorkspace.run(
          () -> delta.assign(loss.computeGradient(wanted, products, activation, null)));
      stage.delta.get(stage.deltaRows, 0, rows * stage.outputs);
    }

    @Override
    public void close() {
      products.close();
      wanted.close();
    }
  }
}
