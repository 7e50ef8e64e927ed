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
 * <p>What does not lie in rows is copied first; of a layer these are its samples' numbers, and
 * never its weights.
 */
public final class VectorMultiplier implements MatrixMultiplier {

  /** How many elements a vector has. */
  public static final int LANES = Tile.LANES;

  /**
   * Numbers of a column that are a multiple of these apart share a few places in the first cache,
   * and drive each other out.
   */
  private static final int CONFLICTING_STEP = 256;

  private final RowCopy ofA = new RowCopy();
  private final RowCopy ofB = new RowCopy();
  private final RowCopy ofC = new RowCopy();

  private final Panels panels = new Panels(BLOCK_DEPTH);

  /** A tile of the product, where fewer columns or rows of it are left. */
  private final float[] apart = new float[Tile.MOST_ROWS * Tile.MOST_COLUMNS];

  /** Where the rows of a tile begin in the first matrix, and in the product, or apart. */
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

  /** How many numbers have to be copied first, or in the end, as they do not lie in rows. */
  private static long copied(Matrix a, Matrix b, Matrix c) {
    return (hasToBeCopied(a) ? a.size() : 0L)
        + (b.byColumn() ? b.size() : 0)
        + (c.byColumn() ? c.size() : 0);
  }

  /** Of the first matrix, a few rows are read at a time, number by number. */
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
        // Where fewer rows are left, the last one is computed more than once.
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
