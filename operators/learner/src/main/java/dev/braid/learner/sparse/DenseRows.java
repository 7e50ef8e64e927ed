package dev.braid.learner.sparse;

/**
 * A dense matrix, stored row after row in a part of a vector.
 *
 * @param start index in the vector of the first element
 * @param width number of elements in a row
 */
public record DenseRows(float[] vector, int start, int width) {

  /** Copies {@code length} elements of a row, from column {@code from} on, to index {@code at}. */
  public void copy(int row, int from, float[] into, int at, int length) {
    System.arraycopy(vector, start + row * width + from, into, at, length);
  }
}
