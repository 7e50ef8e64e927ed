package dev.braid.learner.layer;

import java.util.Arrays;

/** What is not 0 of a matrix, row by row and column by column. */
final class NonZeros {

  private final int width;

  // Row by row: where each row's begin, in which column each is, and what it is.

  final int[] rowStarts;
  final int[] columns;
  final float[] values;

  // The same column by column; within a column in the order of rows.

  final int[] columnStarts;
  final int[] rows;
  final float[] byColumn;

  /** For matrices of so many columns, and so many rows at most. */
  NonZeros(int width, int mostRows) {
    this.width = width;
    this.rowStarts = new int[mostRows + 1];
    // One more is written than counts.
    this.columns = new int[mostRows * width + 1];
    this.values = new float[mostRows * width + 1];
    this.columnStarts = new int[width + 1];
    this.rows = new int[mostRows * width];
    this.byColumn = new float[mostRows * width];
  }

  /**
   * Takes a matrix, row by row.
   *
   * @param start where it begins
   * @return how many numbers are not 0
   */
  int take(float[] matrix, int start, int howManyRows) {
    int count = 0;
    for (int row = 0; row < howManyRows; row++) {
      int at = start + row * width;
      for (int column = 0; column < width; column++) {
        float value = matrix[at + column];
        columns[count] = column;
        values[count] = value;
        // Without a branch, which cannot be foretold: but for its sign, is a bit set?
        int bits = Float.floatToRawIntBits(value) << 1;
        count += (bits | -bits) >>> 31;
      }
      rowStarts[row + 1] = count;
    }
    return count;
  }

  /** Sorts what was taken by columns. */
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
