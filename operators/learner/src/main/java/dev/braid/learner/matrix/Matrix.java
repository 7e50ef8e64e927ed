package dev.braid.learner.matrix;

/**
 * A matrix in a contiguous part of an array.
 *
 * @param start index of the first element
 * @param byColumn whether the matrix is stored column after column, instead of row after row
 */
public record Matrix(float[] values, int start, int rows, int columns, boolean byColumn) {

  /** Returns a matrix that is stored row after row. */
  public static Matrix byRow(float[] values, int start, int rows, int columns) {
    return new Matrix(values, start, rows, columns, false);
  }

  /** Returns the transpose, a view of the same elements. */
  public Matrix transposed() {
    return new Matrix(values, start, columns, rows, !byColumn);
  }

  /** Returns the number of elements. */
  public int size() {
    return rows * columns;
  }

  /** Returns the index in the array of an element. */
  public int at(int row, int column) {
    return start + row * rowStep() + column * columnStep();
  }

  /** Returns the distance in the array from an element to the one below it. */
  public int rowStep() {
    return byColumn ? 1 : columns;
  }

  /** Returns the distance in the array from an element to the one right of it. */
  public int columnStep() {
    return byColumn ? rows : 1;
  }

  /**
   * Copies a part of a row into an array.
   *
   * @param from column of the first element
   */
  public void copyRow(int row, int from, int length, float[] into, int intoStart) {
    int at = at(row, from);
    int step = columnStep();
    if (step == 1) {
      System.arraycopy(values, at, into, intoStart, length);
      return;
    }
    for (int i = 0; i < length; i++) {
      into[intoStart + i] = values[at + i * step];
    }
  }

  /**
   * Writes a part of a row.
   *
   * @param from column of the first element
   */
  public void putRow(int row, int from, int length, float[] numbers, int numbersStart) {
    int at = at(row, from);
    int step = columnStep();
    if (step == 1) {
      System.arraycopy(numbers, numbersStart, values, at, length);
      return;
    }
    for (int i = 0; i < length; i++) {
      values[at + i * step] = numbers[numbersStart + i];
    }
  }
}
