package dev.braid.learner.matrix.simd;

import dev.braid.learner.matrix.Matrix;
import dev.braid.learner.matrix.MatrixMultiplier;
import java.util.Arrays;

/**
 * Products with vectors of the width of the processor's registers. Panels of the second matrix,
 * which stay in a core's second-level cache, are multiplied by a few rows of the first. All sums of
 * such a {@link Tile} are in registers (Goto and van de Geijn, "Anatomy of high-performance matrix
 * multiplication", 2008).
 *
 * <p>Matrices that are not row-major are copied first; in a layer these are the samples' values,
 * and never the weights.
 */
public final class VectorMultiplier implements MatrixMultiplier {

  /** Number of elements in a vector. */
  public static final int LANES = Tile.LANES;

  /**
   * Distance whose multiples conflict: elements of a column at such distances share a few places in
   * the first-level cache, and evict each other.
   */
  private static final int CONFLICTING_STEP = 256;

  private final RowCopy ofA = new RowCopy();
  private final RowCopy ofB = new RowCopy();
  private final RowCopy ofC = new RowCopy();

  private final Panels panels = new Panels(BLOCK_DEPTH);

  /** Sums of an incomplete tile, at the last columns or rows of the product. */
  private final float[] apart = new float[Tile.MOST_ROWS * Tile.MOST_COLUMNS];

  /** Start of each row of a tile in the first matrix, and in the product or in {@link #apart}. */
  private final int[] aRows = new int[Tile.MOST_ROWS];

  private final int[] intoRows = new int[Tile.MOST_ROWS];

  @Override
  public void multiply(Matrix a, Matrix b, Matrix c, boolean adds) {
    if (copied(b.transposed(), a.transposed(), c.transposed()) < copied(a, b, c)) {
      multiplyRows(b.transposed(), a.transposed(), c.transposed(), adds);
    } else {
      multiplyRows(a, b, c, adds);
    }
  }

  /**
   * Returns the number of elements that have to be copied before or after the product, because they
   * are not row-major.
   */
  private static long copied(Matrix a, Matrix b, Matrix c) {
    return (hasToBeCopied(a) ? a.size() : 0L)
        + (b.byColumn() ? b.size() : 0)
        + (c.byColumn() ? c.size() : 0);
  }

  /**
   * Returns whether the first matrix has to be copied. A few of its rows are read at a time,
   * element by element, which conflicts in the cache for some widths.
   */
  static boolean hasToBeCopied(Matrix a) {
    return a.byColumn() && a.columnStep() % CONFLICTING_STEP == 0;
  }

  private void multiplyRows(Matrix a, Matrix b, Matrix c, boolean adds) {
    Matrix first = hasToBeCopied(a) ? ofA.rowsOf(a) : a;
    Matrix second = b.byColumn() ? ofB.rowsOf(b) : b;
    if (!c.byColumn()) {
      multiplyInPanels(first, second, c, adds);
      return;
    }
    Matrix product = adds ? ofC.rowsOf(c) : ofC.like(c);
    multiplyInPanels(first, second, product, adds);
    ofC.giveRows(c);
  }

  private void multiplyInPanels(Matrix a, Matrix b, Matrix c, boolean adds) {
    int depth = b.rows();
    if (depth == 0 && !adds) {
      Arrays.fill(c.values(), c.start(), c.start() + c.size(), 0);
    }
    for (int first = 0; first < depth; first += BLOCK_DEPTH) {
      int panelDepth = Math.min(BLOCK_DEPTH, depth - first);
      boolean addsBlock = adds || first > 0;
      for (int column = 0; column < c.columns(); ) {
        int end = panels.take(b, first, panelDepth, column);
        for (int i = 0; i < panels.count(); i++) {
          multiplyPanel(panels.panel(i), a, first, panelDepth, c, addsBlock);
        }
        column = end;
      }
    }
  }

  private void multiplyPanel(
      Panels.Panel panel, Matrix a, int first, int depth, Matrix c, boolean adds) {
    Tile tile = panel.tile();
    int width = tile.columns();
    for (int row = 0; row < c.rows(); row += tile.rows()) {
      int rows = Math.min(tile.rows(), c.rows() - row);
      boolean isApart = rows < tile.rows() || panel.columns() < width;
      for (int i = 0; i < tile.rows(); i++) {
        // If fewer rows are left, the last one is computed more than once.
        int at = Math.min(row + i, c.rows() - 1);
        aRows[i] = a.at(at, first);
        intoRows[i] = isApart ? i * width : c.at(at, panel.column());
      }
      if (isApart && adds) {
        take(c, row, rows, panel);
      }
      tile.compute(
          a.values(),
          aRows,
          a.columnStep(),
          panels.values(),
          panel.start(),
          depth,
          isApart ? apart : c.values(),
          intoRows,
          adds);
      if (isApart) {
        give(c, row, rows, panel);
      }
    }
  }

  private void take(Matrix c, int row, int rows, Panels.Panel panel) {
    for (int i = 0; i < rows; i++) {
      c.copyRow(row + i, panel.column(), panel.columns(), apart, i * panel.tile().columns());
    }
  }

  private void give(Matrix c, int row, int rows, Panels.Panel panel) {
    for (int i = 0; i < rows; i++) {
      c.putRow(row + i, panel.column(), panel.columns(), apart, i * panel.tile().columns());
    }
  }
}
