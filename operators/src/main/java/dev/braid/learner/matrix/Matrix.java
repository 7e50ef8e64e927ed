package dev.braid.learner.matrix;

/**
 * A matrix somewhere in an array, without gaps.
 *
 * @param start where in the array it begins
 * @param byColumn whether it lies column after column; else row after row
 */
public record Matrix(float[] values, int start, int rows, int columns, boolean byColumn) {

  /** One that lies row after row. */
  public static Matrix byRow(float[] values, int start, int rows, int columns) {
    return new Matrix(values, start, rows, columns, false);
  }

  /** The same numbers, with rows for columns. */
  public Matrix transposed() {
    return new Matrix(values, start, columns, rows, !byColumn);
  }

  /** How many numbers it has. */
  public int size() {
    return rows * columns;
  }

  /** Where in the array an element is. */
  public int at(int row, int column) {
    return start + row * rowStep() + column * columnStep();
  }

  /** From an element to that below it. */
  public int rowStep() {
    return byColumn ? 1 : columns;
  }

  /** From an element to that right of it. */
  public int columnStep() {
    return byColumn ? rows : 1;
  }

  /**
   * Copies a piece of a row into an array.
   *
   * @param from the column of the first number
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

  /** Writes a piece of a row. */
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
