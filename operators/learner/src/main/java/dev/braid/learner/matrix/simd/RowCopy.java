package dev.braid.learner.matrix.simd;

import dev.braid.learner.matrix.Matrix;

/** A row-major copy of a column-major matrix. */
final class RowCopy {

  /**
   * Number of rows and columns that are copied at a time; this number of cache lines stays in the
   * first-level cache.
   */
  private static final int BLOCK = 8;

  private float[] values = {};

  /** Returns a row-major matrix of the same size as another; its contents are undefined. */
  Matrix like(Matrix matrix) {
    if (values.length < matrix.size()) {
      values = new float[matrix.size()];
    }
    return Matrix.byRow(values, 0, matrix.rows(), matrix.columns());
  }

  /** Copies a column-major matrix, and returns the row-major copy. */
  Matrix rowsOf(Matrix byColumn) {
    Matrix copy = like(byColumn);
    transpose(byColumn.values(), byColumn.start(), byColumn.columns(), byColumn.rows(), values, 0);
    return copy;
  }

  /** Copies the contents of the matrix that {@link #like} has returned to a column-major matrix. */
  void giveRows(Matrix byColumn) {
    transpose(values, 0, byColumn.rows(), byColumn.columns(), byColumn.values(), byColumn.start());
  }

  private static void transpose(
      float[] from, int fromStart, int rows, int columns, float[] to, int toStart) {
    for (int row = 0; row < rows; row += BLOCK) {
      int endRow = Math.min(row + BLOCK, rows);
      for (int column = 0; column < columns; column += BLOCK) {
        int endColumn = Math.min(column + BLOCK, columns);
        for (int i = row; i < endRow; i++) {
          int at = fromStart + i * columns;
          for (int j = column; j < endColumn; j++) {
            to[toStart + j * rows + i] = from[at + j];
          }
        }
      }
    }
  }
}
