package dev.braid.learner.layer;

import java.util.Arrays;

/** The values of a matrix that are not 0, row by row and column by column. */
final class NonZeros {

  private final int width;

  // Row by row: the index of each row's first value, and each value's column and value.

  final int[] rowStarts;
  final int[] columns;
  final float[] values;

  // Column by column, and within a column in the order of rows.

  final int[] columnStarts;
  final int[] rows;
  final float[] byColumn;

  /** Reserves memory for matrices of {@code width} columns and at most {@code mostRows} rows. */
  NonZeros(int width, int mostRows) {
    this.width = width;
    this.rowStarts = new int[mostRows + 1];
    // One more element is written than counted.
    this.columns = new int[mostRows * width + 1];
    this.values = new float[mostRows * width + 1];
    this.columnStarts = new int[width + 1];
    this.rows = new int[mostRows * width];
    this.byColumn = new float[mostRows * width];
  }

  /**
   * Takes the values of a matrix that is stored row by row.
   *
   * @param start index of the matrix's first element
   * @return number of values that are not 0
   */
  int take(float[] matrix, int start, int howManyRows) {
    int count = 0;
    for (int row = 0; row < howManyRows; row++) {
      int at = start + row * width;
      for (int column = 0; column < width; column++) {
        float value = matrix[at + column];
        columns[count] = column;
        values[count] = value;
        // Adds 1 if any bit except the sign is set, without an unpredictable branch.
        int bits = Float.floatToRawIntBits(value) << 1;
        count += (bits | -bits) >>> 31;
      }
      rowStarts[row + 1] = count;
    }
    return count;
  }

  /** Sorts the values by columns. */
  void sort(int howManyRows) {
    Arrays.fill(columnStarts, 0);
    int count = rowStarts[howManyRows];
    for (int i = 0; i < count; i++) {
      columnStarts[columns[i]]++;
    }
    for (int column = 1; column <= width; column++) {
      columnStarts[column] += columnStarts[column - 1];
    }
    for (int row = howManyRows - 1; row >= 0; row--) {
      for (int i = rowStarts[row + 1] - 1; i >= rowStarts[row]; i--) {
        int place = --columnStarts[columns[i]];
        rows[place] = row;
        byColumn[place] = values[i];
      }
    }
  }
}
