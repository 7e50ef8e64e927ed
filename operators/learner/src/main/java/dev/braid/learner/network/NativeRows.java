package dev.braid.learner.network;

import dev.braid.learner.math.NativeVectors;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/** A matrix in native memory, for ND4J's functions. */
final class NativeRows {

  private INDArray array = Nd4j.createUninitialized(DataType.FLOAT, 1, 1);

  /** Copies the first {@code rows} rows of an array to native memory. */
  INDArray take(float[] values, int rows, int columns) {
    if (array.rows() != rows || array.columns() != columns) {
      array.close();
      array = Nd4j.createUninitialized(DataType.FLOAT, rows, columns);
    }
    NativeVectors.pointer(array).put(values, 0, rows * columns);
    return array;
  }

  /** Returns the array of the last {@link #take}, with any changes made since. */
  INDArray array() {
    return array;
  }

  /** Copies the rows back. */
  void give(float[] into) {
    NativeVectors.pointer(array).get(into, 0, Math.toIntExact(array.length()));
  }

  void close() {
    array.close();
  }
}
