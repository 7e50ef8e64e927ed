package dev.braid.learner.sparse;

/**
 * A dense matrix, stored row after row in a part of a vector.
 *
 * @param start index in the vector of the first element
 * @param width number of elements in a row
 */
public record DenseRows(float[] vector, int start, int width) {

  /** Copies a row. */
  public void copy(int row, float[] into) {
    System.arraycopy(vector, start + row * width, into, 0, width);
  }
}
