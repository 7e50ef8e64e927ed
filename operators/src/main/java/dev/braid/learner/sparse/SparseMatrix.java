package dev.braid.learner.sparse;

/**
 * A matrix most of which is 0: what is not, row by row ("compressed sparse rows").
 *
 * @param rowStarts where each row's values begin; one more is where the last one's end
 * @param firstRow where in {@code rowStarts} its first row is
 * @param columnStarts the same of its transpose, which says how many values a column has
 * @param firstColumn where in {@code columnStarts} its first column is
 * @param columnOf of each value, from the first column to the last in each row
 * @param values finite ones, as sources of samples refuse others: a product times an infinite one
 *     may have other NaN in vectors than in loops
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

  /** Where a row's values begin. */
  public int start(int row) {
    return rowStarts[firstRow + row];
  }

  /** Where a row's values end. */
  public int end(int row) {
    return rowStarts[firstRow + row + 1];
  }

  /** How many values it has. */
  public int size() {
    return rowStarts[firstRow + rows] - rowStarts[firstRow];
  }

  /** Whether a column has any value. */
  public boolean hasColumn(int column) {
    return columnStarts[firstColumn + column] < columnStarts[firstColumn + column + 1];
  }
}
