package dev.braid.learner.matrix.vector;

import dev.braid.learner.matrix.Matrix;
import dev.braid.learner.matrix.MatrixMultiplier;
import java.util.Arrays;

/**
 * Products in vectors of as many elements as the processor's registers have: the second matrix in
 * panels that stay in a core's second cache, times a few rows of the first, with all sums of such a
 * {@link Tile} in registers (Goto and van de Geijn, "Anatomy of high-performance matrix
 * multiplication", 2008).
 *
 * <p>Matrices stay where they are, on the heap, but for a panel at a time.
 */
public final class VectorMultiplier implements MatrixMultiplier {

  /** How many elements a vector has. */
  public static final int LANES = Tile.LANES;

  /** Of a panel: with the widest tile and vectors of 16, 128 KiB. */
  private static final int MOST_DEPTH = 512;

  private final float[] panel = new float[MOST_DEPTH * Tile.MOST_COLUMNS];

  /** A tile of the product, where that does not lie as a tile does. */
  private final float[] apart = new float[Tile.MOST_ROWS * Tile.MOST_COLUMNS];

  private final float[] zeros = new float[Tile.MOST_COLUMNS];
  private final int[] zeroRows = new int[Tile.MOST_ROWS];
  private final int[] apartRows = new int[Tile.MOST_ROWS];

  /** Where the rows of a tile begin in the first matrix, and in the product. */
  private final int[] aRows = new int[Tile.MOST_ROWS];

  private final int[] cRows = new int[Tile.MOST_ROWS];

  @Override
  public void multiply(Matrix a, Matrix b, Matrix c, boolean adds) {
    if (b.byColumn() && b.size() > a.size()) {
      // Of the matrix that is copied into panels, rows should lie in one piece; else the smaller.
      multiplyInPanels(b.transposed(), a.transposed(), c.transposed(), adds);
    } else {
      multiplyInPanels(a, b, c, adds);
    }
  }

  private void multiplyInPanels(Matrix a, Matrix b, Matrix c, boolean adds) {
    int depth = b.rows();
    if (depth == 0 && !adds) {
      Arrays.fill(c.values(), c.start(), c.start() + c.size(), 0);
    }
    for (int first = 0; first < depth; first += MOST_DEPTH) {
      int panelDepth = Math.min(MOST_DEPTH, depth - first);
      boolean begins = first == 0 && !adds;
      for (int column = 0; column < c.columns(); ) {
        Tile tile = Tile.of(c.columns() - column);
        int columns = Math.min(tile.columns(), c.columns() - column);
        takePanel(b, first, panelDepth, column, columns, tile.columns());
        multiplyPanel(tile, a, first, panelDepth, c, column, columns, begins);
        column += columns;
      }
    }
  }

  private void takePanel(Matrix b, int first, int depth, int column, int columns, int width) {
    for (int k = 0; k < depth; k++) {
      int at = k * width;
      b.copyRow(first + k, column, columns, panel, at);
      Arrays.fill(panel, at + columns, at + width, 0);
    }
  }

  private void multiplyPanel(
      Tile tile,
      Matrix a,
      int first,
      int depth,
      Matrix c,
      int column,
      int columns,
      boolean begins) {
    boolean isInPlace = columns == tile.columns() && !c.byColumn();
    for (int row = 0; row < c.rows(); row += tile.rows()) {
      for (int i = 0; i < tile.rows(); i++) {
        // Where fewer rows are left, the last one is computed more than once.
        int at = Math.min(row + i, c.rows() - 1);
        aRows[i] = a.at(at, first);
        cRows[i] = c.at(at, column);
        apartRows[i] = i * tile.columns();
      }
      if (isInPlace) {
        float[] from = begins ? zeros : c.values();
        int[] fromRows = begins ? zeroRows : cRows;
        tile.compute(
            a.values(), aRows, a.columnStep(), panel, depth, from, fromRows, c.values(), cRows);
      } else {
        int rows = Math.min(tile.rows(), c.rows() - row);
        take(c, row, rows, column, columns, tile.columns(), begins);
        tile.compute(
            a.values(), aRows, a.columnStep(), panel, depth, apart, apartRows, apart, apartRows);
        give(c, row, rows, column, columns, tile.columns());
      }
    }
  }

  private void take(
      Matrix c, int row, int rows, int column, int columns, int width, boolean begins) {
    if (begins) {
      Arrays.fill(apart, 0);
      return;
    }
    for (int i = 0; i < rows; i++) {
      c.copyRow(row + i, column, columns, apart, i * width);
    }
  }

  private void give(Matrix c, int row, int rows, int column, int columns, int width) {
    for (int i = 0; i < rows; i++) {
      c.putRow(row + i, column, columns, apart, i * width);
    }
  }
}
