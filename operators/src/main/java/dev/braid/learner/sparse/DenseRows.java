package dev.braid.learner.sparse;

/**
 * A matrix all of whose elements count, row after row somewhere in a vector.
 *
 * @param start where in the vector it begins
 * @param width how many elements a row has
 */
public record DenseRows(float[] vector, int start, int width) {

  /** Copies a piece of a row. */
  public void copy(int row, int from, float[] into, int at, int length) {
    System.arraycopy(vector, start + row * width + from, into, at, length);
  }
}
