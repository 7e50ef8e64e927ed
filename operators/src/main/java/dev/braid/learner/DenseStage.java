package dev.braid.learner;

import static org.bytedeco.openblas.global.openblas_nolapack.CblasColMajor;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasNoTrans;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasTrans;
import static org.bytedeco.openblas.global.openblas_nolapack.cblas_sgemm;

import org.bytedeco.javacpp.FloatPointer;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * One fully connected layer of a {@link DenseLearner}: its place in the flat vector, its buffers
 * and its three matrix products.
 *
 * <p>Rows of samples lie one after the other, so that to a column-major BLAS every matrix of
 * samples is its own transpose; weights are column-major, as Deeplearning4j keeps them. No operand
 * is ever copied or transposed in memory. The other order of the operands takes the same time here.
 */
final class DenseStage {

  final int inputs;
  final int outputs;

  /** Where the layer's weights begin in the flat vector; its biases, if any, follow them. */
  private final int weightStart;

  private final boolean hasBias;
  private final FloatPointer weights;
  private final FloatPointer weightGradient;
  private final float[] biases;
  private final float[] biasGradient;

  private int capacity;
  private INDArray outputArray;
  private INDArray deltaArray;

  /** Products and activations; and their gradient. Row after row, {@link #outputs} wide. */
  FloatPointer output;

  FloatPointer delta;

  /** Copies on the heap, where element-wise loops are the JIT compiler's. */
  float[] outputRows = {};

  float[] deltaRows = {};

  DenseStage(
      int inputs,
      int outputs,
      boolean hasBias,
      int weightStart,
      INDArray allWeights,
      INDArray allGradients) {
    this.inputs = inputs;
    this.outputs = outputs;
    this.hasBias = hasBias;
    this.weightStart = weightStart;
    this.weights = NativeVectors.pointer(allWeights);
    this.weights.position(this.weights.position() + weightStart);
    this.weightGradient = NativeVectors.pointer(allGradients);
    this.weightGradient.position(this.weightGradient.position() + weightStart);
    this.biases = new float[outputs];
    this.biasGradient = new float[outputs];
  }

  /** How many parameters the layer has. */
  int length() {
    return inputs * outputs + (hasBias ? outputs : 0);
  }

  /** Makes room for {@code rows} samples. */
  void reserve(int rows) {
    if (rows <= capacity) {
      return;
    }
    close();
    capacity = rows;
    outputArray = Nd4j.createUninitialized(DataType.FLOAT, rows, outputs);
    deltaArray = Nd4j.createUninitialized(DataType.FLOAT, rows, outputs);
    output = NativeVectors.pointer(outputArray);
    delta = NativeVectors.pointer(deltaArray);
    outputRows = new float[rows * outputs];
    deltaRows = new float[rows * outputs];
  }

  /** The first rows of {@link #output}, for ND4J's functions. */
  INDArray outputArray(int rows) {
    return firstRows(outputArray, rows);
  }

  /** The first rows of {@link #delta}, for ND4J's functions. */
  INDArray deltaArray(int rows) {
    return firstRows(deltaArray, rows);
  }

  static INDArray firstRows(INDArray array, int rows) {
    return rows == array.rows()
        ? array
        : Nd4j.create(array.data(), new long[] {rows, array.columns()}, array.stride(), 0, 'c');
  }

  /** Takes the biases from the weights that a call began with. */
  void readBiases(float[] allWeights) {
    if (hasBias) {
      System.arraycopy(allWeights, weightStart + inputs * outputs, biases, 0, outputs);
    }
  }

  /** {@code outputRows = input W + b}. */
  void product(FloatPointer input, int rows) {
    cblas_sgemm(
        CblasColMajor,
        CblasTrans,
        CblasNoTrans,
        outputs,
        rows,
        inputs,
        1,
        weights,
        inputs,
        input,
        inputs,
        0,
        output,
        outputs);
    output.get(outputRows, 0, rows * outputs);
    if (hasBias) {
      addToRows(outputRows, biases, rows);
    }
  }

  /** {@code inputDelta = delta W^T}. */
  void backpropagate(FloatPointer inputDelta, int rows) {
    cblas_sgemm(
        CblasColMajor,
        CblasNoTrans,
        CblasNoTrans,
        inputs,
        rows,
        outputs,
        1,
        weights,
        inputs,
        delta,
        outputs,
        0,
        inputDelta,
        inputs);
  }

  /** The weights' gradient, {@code input^T delta}, into its place in native memory. */
  void weightGradient(FloatPointer input, int rows) {
    cblas_sgemm(
        CblasColMajor,
        CblasNoTrans,
        CblasTrans,
        inputs,
        outputs,
        rows,
        1,
        input,
        inputs,
        delta,
        outputs,
        0,
        weightGradient,
        inputs);
  }

  /** The biases' gradient, the sum of the rows of {@code deltaRows}, into its place. */
  void writeBiasGradient(float[] gradient, int rows) {
    if (hasBias) {
      sumRows(biasGradient, deltaRows, rows);
      System.arraycopy(biasGradient, 0, gradient, weightStart + inputs * outputs, outputs);
    }
  }

  void close() {
    if (capacity > 0) {
      capacity = 0;
      outputArray.close();
      deltaArray.close();
    }
  }

  private static void addToRows(float[] matrix, float[] row, int rows) {
    for (int r = 0; r < rows; r++) {
      int start = r * row.length;
      for (int i = 0; i < row.length; i++) {
        matrix[start + i] += row[i];
      }
    }
  }

  private static void sumRows(float[] sum, float[] matrix, int rows) {
    System.arraycopy(matrix, 0, sum, 0, sum.length);
    for (int r = 1; r < rows; r++) {
      int start = r * sum.length;
      for (int i = 0; i < sum.length; i++) {
        sum[i] += matrix[start + i];
      }
    }
  }
}
