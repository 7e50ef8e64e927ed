package dev.braid.learner.matrix.vector;

import dev.braid.learner.matrix.Matrix;
import dev.braid.learner.matrix.MatrixMultiplier;
import java.util.ArrayList;
import java.util.List;

/**
 * Products with one second matrix, as a model's weights are when it scores: the matrix is copied
 * into panels at the first product only. A few rows take tiles of their own, so that a single
 * sample is one pass over the weights.
 *
 * <p>The bits of an element are those of {@link VectorMultiplier} and of plain loops, and do not
 * depend on how many rows are multiplied.
 */
public final class FixedVectorMultiplier implements MatrixMultiplier {

  /** How many elements a vector has. */
  public static final int LANES = Tile.LANES;

  /** Width of most panels, in vectors: of the largest tile. */
  private static final int MOST_VECTORS = Tile.of(Integer.MAX_VALUE).columns() / LANES;

  /** Up to this number, rows that a tile has no room for are computed one by one. */
  private static final int FEW_ROWS = 2;

  /**
   * Some columns of some rows of the second matrix, row after row.
   *
   * @param start place of the panel among all panels
   * @param first index of its first row
   * @param depth number of its rows
   * @param column index of its first column
   * @param columns number of its columns; up to its width, the rest is 0
   * @param vectors its width
   */
  private record FixedPanel(int start, int first, int depth, int column, int columns, int vectors) {

    int width() {
      return vectors * LANES;
    }

    /** Returns how many rows its tile computes. */
    int tileRows() {
      return vectors == 1 ? RowTiles.MANY_ROWS : tile().rows();
    }

    Tile tile() {
      return Tile.of(width());
    }
  }

  private final List<FixedPanel> panels = new ArrayList<>();
  private final RowCopy ofA = new RowCopy();
  private final int[] aRows = new int[RowTiles.MANY_ROWS];
  private final int[] intoRows = new int[RowTiles.MANY_ROWS];
  private final float[] apart =
      new float[Math.max(RowTiles.MANY_ROWS * LANES, Tile.MOST_ROWS * Tile.MOST_COLUMNS)];
  private float[] values = {};

  @Override
  public void multiply(Matrix a, Matrix b, Matrix c, boolean adds) {
    if (panels.isEmpty()) {
      take(b);
    }
    Matrix rows = VectorMultiplier.hasToBeCopied(a) ? ofA.rowsOf(a) : a;
    for (int i = 0; i < panels.size(); i++) {
      multiply(rows, panels.get(i), c, adds);
    }
  }

  private void take(Matrix b) {
    int vectorsOfAll = -Math.floorDiv(-b.columns(), LANES);
    values = new float[Math.multiplyExact(Math.multiplyExact(b.rows(), vectorsOfAll), LANES)];
    int start = 0;
    for (int first = 0; first < b.rows(); first += BLOCK_DEPTH) {
      int depth = Math.min(BLOCK_DEPTH, b.rows() - first);
      int vectors;
      for (int done = 0; done < vectorsOfAll; done += vectors) {
        vectors = width(vectorsOfAll - done);
        int column = done * LANES;
        int columns = Math.min(vectors * LANES, b.columns() - column);
        FixedPanel panel = new FixedPanel(start, first, depth, column, columns, vectors);
        for (int k = 0; k < depth; k++) {
          b.copyRow(first + k, column, columns, values, start + k * panel.width());
        }
        panels.add(panel);
        start += depth * panel.width();
      }
    }
  }

  private static int width(int vectorsLeft) {
    return vectorsLeft >= MOST_VECTORS ? MOST_VECTORS : Math.min(2, vectorsLeft);
  }

  private void multiply(Matrix a, FixedPanel panel, Matrix c, boolean adds) {
    boolean addsBlock = adds || panel.first() > 0;
    int tileRows = panel.tileRows();
    int row = 0;
    while (row < c.rows()) {
      int rows = Math.min(tileRows, c.rows() - row);
      if (rows <= FEW_ROWS) {
        rows = 1;
        one(a, row, panel, c, addsBlock);
      } else {
        several(a, row, rows, panel, c, addsBlock);
      }
      row += rows;
    }
  }

  private void one(Matrix a, int row, FixedPanel panel, Matrix c, boolean adds) {
    boolean isApart = panel.columns() < panel.width() || c.byColumn();
    if (isApart && adds) {
      c.copyRow(row, panel.column(), panel.columns(), apart, 0);
    }
    RowTiles.one(
        panel.vectors(),
        a.values(),
        a.at(row, panel.first()),
        a.columnStep(),
        values,
        panel.start(),
        panel.depth(),
        isApart ? apart : c.values(),
        isApart ? 0 : c.at(row, panel.column()),
        adds);
    if (isApart) {
      c.putRow(row, panel.column(), panel.columns(), apart, 0);
    }
  }

  private void several(Matrix a, int row, int rows, FixedPanel panel, Matrix c, boolean adds) {
    int width = panel.width();
    int tileRows = panel.tileRows();
    boolean isApart = rows < tileRows || panel.columns() < width || c.byColumn();
    for (int i = 0; i < tileRows; i++) {
      // Where fewer rows are left, the last one is computed more than once.
      int at = Math.min(row + i, c.rows() - 1);
      aRows[i] = a.at(at, panel.first());
      intoRows[i] = isApart ? i * width : c.at(at, panel.column());
    }
    if (isApart && adds) {
      for (int i = 0; i < rows; i++) {
        c.copyRow(row + i, panel.column(), panel.columns(), apart, i * width);
      }
    }
    compute(a, panel, isApart ? apart : c.values(), adds);
    if (isApart) {
      for (int i = 0; i < rows; i++) {
        c.putRow(row + i, panel.column(), panel.columns(), apart, i * width);
      }
    }
  }

  private void compute(Matrix a, FixedPanel panel, float[] into, boolean adds) {
    int aStep = a.columnStep();
    if (panel.vectors() == 1) {
      RowTiles.manyByOne(
          a.values(), aRows, aStep, values, panel.start(), panel.depth(), into, intoRows, adds);
    } else {
      panel
          .tile()
          .compute(
              a.values(), aRows, aStep, values, panel.start(), panel.depth(), into, intoRows, adds);
    }
  }
}
