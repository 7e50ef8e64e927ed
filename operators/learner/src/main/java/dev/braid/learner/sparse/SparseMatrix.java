package dev.braid.learner.sparse;

/**
 * A matrix of mostly zeros in compressed sparse row format: the values that are not 0, row by row.
 *
 * @param rowStarts index of each row's first value, followed by the index behind the last row's
 *     values
 * @param firstRow index in {@code rowStarts} of the first row
 * @param columnStarts the transpose's {@code rowStarts}, from which the number of values in a
 *     column follows
 * @param firstColumn index in {@code columnStarts} of the first column
 * @param columnOf column of each value, ascending within a row
 * @param values finite values; sources of samples reject others
 */
public record SparseMatrix(
    int rows,
    int columns,
    int[] rowStarts,
    int firstRow,
    int[] columnStarts,
    int firstColumn,
    int[] columnOf,
    float[] values) {

  /** Returns the index of a row's first value. */
  public int start(int row) {
    return rowStarts[firstRow + row];
  }

  /** Returns the index behind a row's last value. */
  public int end(int row) {
    return rowStarts[firstRow + row + 1];
  }

  /** Returns whether a column has any value. */
  public boolean hasColumn(int column) {
    return columnStarts[firstColumn + column] < columnStarts[firstColumn + column + 1];
  }
}
