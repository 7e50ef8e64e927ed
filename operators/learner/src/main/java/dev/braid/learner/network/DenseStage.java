package dev.braid.learner.network;

import dev.braid.learner.layer.RectifierLoops;
import dev.braid.learner.matrix.Matrix;
import dev.braid.learner.matrix.MatrixMultiplier;
import dev.braid.learner.structure.DenseShape;
import dev.braid.learner.structure.ParameterOrder;

/**
 * One fully connected layer of a {@link DenseStack}: its position in the flat vector, its buffers
 * and its three matrix products.
 *
 * <p>All matrices, of samples and of weights, are stored row by row ({@link ParameterOrder}).
 */
final class DenseStage {

  private final DenseShape shape;
  final int inputs;
  final int outputs;
  private final MatrixMultiplier multiplier;
  private final float[] biases;
  private final float[] biasGradient;

  private int capacity;

  /**
   * The products, later the activations, and the gradient by them: row after row, {@link #outputs}
   * wide.
   */
  float[] outputRows = {};

  float[] deltaRows = {};

  DenseStage(DenseShape shape, MatrixMultiplier multiplier) {
    this.shape = shape;
    this.inputs = shape.inputs();
    this.outputs = shape.outputs();
    this.multiplier = multiplier;
    this.biases = new float[shape.hasBias() ? outputs : 0];
    this.biasGradient = new float[biases.length];
  }

  /** Makes room for {@code rows} samples. */
  void reserve(int rows) {
    if (rows > capacity) {
      capacity = rows;
      outputRows = new float[rows * outputs];
      deltaRows = new float[rows * outputs];
    }
  }

  /** Copies the biases from the weights at the start of a call. */
  void takeBiases(float[] allWeights) {
    System.arraycopy(allWeights, shape.biasStart(), biases, 0, biases.length);
  }

  /** Computes {@code outputRows = input W}, without the biases. */
  void product(float[] input, int inputStart, float[] allWeights, int rows) {
    multiplier.multiply(
        Matrix.byRow(input, inputStart, rows, inputs), weights(allWeights), output(rows));
  }

  /**
   * Computes {@code outputRows = input W}, without the biases, for the first layer and sparse
   * samples.
   */
  void product(SparseRows input, float[] allWeights, int rows) {
    input.product(allWeights, shape.start(), outputRows);
  }

  /** Computes {@code outputRows = outputRows + b}. */
  void addBiases(int rows) {
    if (shape.hasBias()) {
      addToRows(outputRows, biases, rows);
    }
  }

  /** Computes {@code outputRows = max(0, outputRows + b)} in one pass. */
  void addBiasesAndRectify(int rows) {
    if (shape.hasBias()) {
      RectifierLoops.addAndRectify(outputRows, biases, rows);
    } else {
      RectifierLoops.rectify(outputRows, rows * outputs);
    }
  }

  /** Computes {@code inputDelta = delta W^T}. */
  void backpropagate(float[] allWeights, float[] inputDelta, int rows) {
    multiplier.multiply(
        delta(rows), weights(allWeights).transposed(), Matrix.byRow(inputDelta, 0, rows, inputs));
  }

  /**
   * Writes the layer's part of the gradient: {@code input^T delta} for the weights, and the biases'
   * gradient.
   */
  void gradient(float[] input, int inputStart, int rows, float[] gradient) {
    multiplier.multiply(
        Matrix.byRow(input, inputStart, rows, inputs).transposed(), delta(rows), weights(gradient));
    biasGradient(rows, gradient);
  }

  /** Writes the first layer's part of the gradient for sparse samples. */
  void gradient(SparseRows input, int rows, float[] gradient) {
    input.weightGradient(deltaRows, gradient, shape.start());
    biasGradient(rows, gradient);
  }

  private Matrix weights(float[] all) {
    return Matrix.byRow(all, shape.start(), inputs, outputs);
  }

  private Matrix output(int rows) {
    return Matrix.byRow(outputRows, 0, rows, outputs);
  }

  private Matrix delta(int rows) {
    return Matrix.byRow(deltaRows, 0, rows, outputs);
  }

  /** Multiplies each row of the delta by its factor. */
  void scaleDelta(float[] factors) {
    for (int r = 0; r < factors.length; r++) {
      for (int i = r * outputs; i < (r + 1) * outputs; i++) {
        deltaRows[i] *= factors[r];
      }
    }
  }

  void close() {
    multiplier.close();
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
