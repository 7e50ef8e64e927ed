package dev.braid.learner.network;

import static org.bytedeco.openblas.global.openblas_nolapack.CblasColMajor;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasNoTrans;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasTrans;
import static org.bytedeco.openblas.global.openblas_nolapack.cblas_sgemm;

import dev.braid.learner.math.NativeVectors;
import dev.braid.learner.structure.DenseShape;
import dev.braid.learner.structure.ParameterOrder;
import org.bytedeco.javacpp.FloatPointer;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * One fully connected layer of a {@link DenseLearner}: its place in the flat vector, its buffers
 * and its three matrix products.
 *
 * <p>All matrices lie row by row, samples and weights ({@link ParameterOrder}), so that to a
 * column-major BLAS each is its own transpose. No operand is ever transposed in memory.
 */
final class DenseStage {

  private final DenseShape shape;
  final int inputs;
  final int outputs;
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

  DenseStage(DenseShape shape, INDArray allWeights, INDArray allGradients) {
    this.shape = shape;
    this.inputs = shape.inputs();
    this.outputs = shape.outputs();
    this.weights = at(allWeights, shape.start());
    this.weightGradient = at(allGradients, shape.start());
    this.biases = new float[shape.hasBias() ? outputs : 0];
    this.biasGradient = new float[biases.length];
  }

  private static FloatPointer at(INDArray array, int index) {
    FloatPointer pointer = NativeVectors.pointer(array);
    return pointer.position(pointer.position() + index);
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
  void takeBiases(float[] allWeights) {
    System.arraycopy(allWeights, shape.biasStart(), biases, 0, biases.length);
  }

  /** Takes the weights, for {@link #product} and {@link #backpropagate}. */
  void takeWeights(float[] allWeights) {
    weights.put(allWeights, shape.start(), shape.weights());
  }

  /** {@code outputRows = input W + b}. */
  void product(FloatPointer input, int rows) {
    cblas_sgemm(
        CblasColMajor,
        CblasNoTrans,
        CblasNoTrans,
        outputs,
        rows,
        inputs,
        1,
        weights,
        outputs,
        input,
        inputs,
        0,
        output,
        outputs);
    output.get(outputRows, 0, rows * outputs);
    addBiases(rows);
  }

  /** {@code outputRows = input W + b}, for the first layer. */
  void product(SparseRows input, float[] allWeights, int rows) {
    input.product(allWeights, shape.start(), outputRows);
    addBiases(rows);
  }

  /** {@code inputDelta = delta W^T}. */
  void backpropagate(FloatPointer inputDelta, int rows) {
    cblas_sgemm(
        CblasColMajor,
        CblasTrans,
        CblasNoTrans,
        inputs,
        rows,
        outputs,
        1,
        weights,
        outputs,
        delta,
        outputs,
        0,
        inputDelta,
        inputs);
  }

  /** Writes the layer's gradient into its place: {@code input^T delta}, and the biases'. */
  void gradient(FloatPointer input, int rows, float[] gradient) {
    cblas_sgemm(
        CblasColMajor,
        CblasNoTrans,
        CblasTrans,
        outputs,
        inputs,
        rows,
        1,
        delta,
        outputs,
        input,
        inputs,
        0,
        weightGradient,
        outputs);
    weightGradient.get(gradient, shape.start(), shape.weights());
    biasGradient(rows, gradient);
  }

  /** The same for the first layer. */
  void gradient(SparseRows input, int rows, float[] gradient) {
    input.weightGradient(deltaRows, gradient, shape.start());
    biasGradient(rows, gradient);
  }

  /** Each row of the delta, times a number of its own. */
  void scaleDelta(float[] factors) {
    for (int r = 0; r < factors.length; r++) {
      for (int i = r * outputs; i < (r + 1) * outputs; i++) {
        deltaRows[i] *= factors[r];
      }
    }
    delta.put(deltaRows, 0, factors.length * outputs);
  }

  void close() {
    if (capacity > 0) {
      capacity = 0;
      outputArray.close();
      deltaArray.close();
    }
  }

  private void addBiases(int rows) {
    if (shape.hasBias()) {
      addToRows(outputRows, biases, rows);
    }
  }

  private void biasGradient(int rows, float[] gradient) {
    if (shape.hasBias()) {
      sumRows(biasGradient, deltaRows, rows);
      System.arraycopy(biasGradient, 0, gradient, shape.biasStart(), outputs);
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
