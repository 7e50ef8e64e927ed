package dev.braid.learner.matrix.simd;

import dev.braid.learner.matrix.Matrix;
import dev.braid.learner.matrix.MatrixMultiplier;
import java.util.ArrayList;
import java.util.List;

/**
 * Products with one fixed second matrix, such as a layer's weights when a model scores. The matrix
 * is copied into panels at the first product only, and a single row is computed in one pass over
 * them.
 *
 * <p>The bits of an element are those of plain loops, and do not depend on the number of rows that
 * are multiplied.
 */
public final class VectorMultiplier implements MatrixMultiplier {

  /** Number of elements in a vector. */
  public static final int LANES = Lanes.LANES;

  /** Number of vectors in a panel; the last vector of an odd number has its own panel. */
  private static final int PANEL_VECTORS = 2;

  private static final int PANEL_COLUMNS = PANEL_VECTORS * LANES;

  /** Whether the processor has the 32 registers that {@link TenByTwo} needs. */
  private static final boolean HAS_MANY_REGISTERS = LANES >= 16;

  /** Shapes of tiles. */
  private enum Kind {
    TEN_BY_TWO(TenByTwo.ROWS),
    SIX_BY_TWO(SixByTwo.ROWS),
    TWELVE_BY_ONE(TwelveByOne.ROWS);

    final int rows;

    Kind(int rows) {
      this.rows = rows;
    }
  }

  /** Highest number of rows that are computed one by one if they do not fill a tile. */
  private static final int FEW_ROWS = 3;

  /**
   * Some rows of the second matrix, panel after panel.
   *
   * @param start index of the first panel in the array of all values
   * @param first index of the first row
   * @param depth number of rows
   */
  private record Block(int start, int first, int depth) {

    int panel(int column) {
      return start + column * depth;
    }
  }

  private final List<Block> blocks = new ArrayList<>();
  private final int[] aRows = new int[TwelveByOne.ROWS];
  private final int[] intoRows = new int[TwelveByOne.ROWS];
  private final float[] apart = new float[TwelveByOne.ROWS * PANEL_COLUMNS];
  private float[] values = {};

  /** Number of columns of the second matrix, without and with padding to whole vectors. */
  private int columns;

  private int paddedColumns;

  @Override
  public void multiply(Matrix a, Matrix b, Matrix c, boolean adds) {
    if (c.byColumn()) {
      throw new IllegalArgumentException("product stored by columns: must be stored by rows");
    }
    if (blocks.isEmpty()) {
      take(b);
    }
    for (int i = 0; i < blocks.size(); i++) {
      multiply(a, blocks.get(i), c, adds || i > 0);
    }
  }

  private void take(Matrix b) {
    columns = b.columns();
    paddedColumns = -Math.floorDiv(-columns, LANES) * LANES;
    values = new float[Math.multiplyExact(b.rows(), paddedColumns)];
    for (int first = 0; first < b.rows(); first += BLOCK_DEPTH) {
      Block block =
          new Block(first * paddedColumns, first, Math.min(BLOCK_DEPTH, b.rows() - first));
      blocks.add(block);
      for (int column = 0; column < columns; column += PANEL_COLUMNS) {
        int width = width(column);
        int used = Math.min(width, columns - column);
        for (int k = 0; k < block.depth(); k++) {
          b.copyRow(first + k, column, used, values, block.panel(column) + k * width);
        }
      }
    }
  }

  /** Returns the width in elements of the panel that begins at a column. */
  private int width(int column) {
    return Math.min(PANEL_COLUMNS, paddedColumns - column);
  }

  private void multiply(Matrix a, Block block, Matrix c, boolean adds) {
    int column = 0;
    if (c.rows() <= FEW_ROWS) {
      int step = SingleRow.PANELS * PANEL_COLUMNS;
      for (; column + step <= columns; column += step) {
        multiplyFourPanels(a, block, column, c, adds);
      }
    }
    for (; column < columns; column += PANEL_COLUMNS) {
      multiplyPanel(a, block, column, c, adds);
    }
  }

  private void multiplyFourPanels(Matrix a, Block block, int column, Matrix c, boolean adds) {
    for (int row = 0; row < c.rows(); row++) {
      SingleRow.fourPanels(
          a.values(),
          a.at(row, block.first()),
          a.columnStep(),
          values,
          block.panel(column),
          block.depth(),
          adds ? apart : c.values(),
          adds ? 0 : c.at(row, column));
      if (adds) {
        add(0, SingleRow.PANELS * PANEL_COLUMNS, c.values(), c.at(row, column));
      }
    }
  }

  private void multiplyPanel(Matrix a, Block block, int column, Matrix c, boolean adds) {
    int width = width(column);
    Kind kind = kind(a, width);
    int row = 0;
    for (; c.rows() - row > FEW_ROWS; row += Math.min(kind.rows, c.rows() - row)) {
      multiplyTile(kind, a, row, block, column, c, adds);
    }
    for (; row < c.rows(); row++) {
      multiplyRow(a, row, block, column, c, adds);
    }
  }

  private static Kind kind(Matrix a, int width) {
    if (width < PANEL_COLUMNS) {
      return Kind.TWELVE_BY_ONE;
    }
    return HAS_MANY_REGISTERS && a.columnStep() == 1 ? Kind.TEN_BY_TWO : Kind.SIX_BY_TWO;
  }

  private void multiplyRow(Matrix a, int row, Block block, int column, Matrix c, boolean adds) {
    int at = a.at(row, block.first());
    int panel = block.panel(column);
    int width = width(column);
    if (width == PANEL_COLUMNS) {
      SingleRow.panel(a.values(), at, a.columnStep(), values, panel, block.depth(), apart, 0);
    } else {
      SingleRow.vector(a.values(), at, a.columnStep(), values, panel, block.depth(), apart, 0);
    }
    give(1, width, c, row, column, adds);
  }

  private void multiplyTile(
      Kind kind, Matrix a, int row, Block block, int column, Matrix c, boolean adds) {
    int width = width(column);
    int rows = Math.min(kind.rows, c.rows() - row);
    boolean hasLast = kind == Kind.TEN_BY_TWO && block.depth() % 2 > 0;
    boolean isApart = adds || hasLast || rows < kind.rows || columns - column < width;
    for (int i = 0; i < kind.rows; i++) {
      // If fewer rows are left, the last one is computed more than once.
      int at = row + Math.min(i, rows - 1);
      aRows[i] = a.at(at, block.first());
      intoRows[i] = isApart ? i * width : c.at(at, column);
    }
    compute(kind, a, block, block.panel(column), isApart ? apart : c.values());
    if (hasLast) {
      addLast(rows, a.values(), block, column);
    }
    if (isApart) {
      give(rows, width, c, row, column, adds);
    }
  }

  private void compute(Kind kind, Matrix a, Block block, int panel, float[] into) {
    int depth = block.depth();
    switch (kind) {
      case TEN_BY_TWO ->
          TenByTwo.compute(a.values(), aRows, values, panel, depth & ~1, into, intoRows);
      case SIX_BY_TWO ->
          SixByTwo.compute(a.values(), aRows, a.columnStep(), values, panel, depth, into, intoRows);
      case TWELVE_BY_ONE ->
          TwelveByOne.compute(
              a.values(), aRows, a.columnStep(), values, panel, depth, into, intoRows);
    }
  }

  /** Adds the last term of sums with an odd number of terms to the separate sums. */
  private void addLast(int rows, float[] a, Block block, int column) {
    int last = block.depth() - 1;
    int from = block.panel(column) + last * PANEL_COLUMNS;
    for (int i = 0; i < rows; i++) {
      float factor = a[aRows[i] + last];
      int to = i * PANEL_COLUMNS;
      for (int j = 0; j < PANEL_COLUMNS; j++) {
        apart[to + j] = Math.fma(factor, values[from + j], apart[to + j]);
      }
    }
  }

  /** Writes or adds separate sums to the product. */
  private void give(int rows, int width, Matrix c, int row, int column, boolean adds) {
    int used = Math.min(width, columns - column);
    for (int i = 0; i < rows; i++) {
      int to = c.at(row + i, column);
      if (adds) {
        add(i * width, used, c.values(), to);
      } else {
        System.arraycopy(apart, i * width, c.values(), to, used);
      }
    }
  }

  private void add(int from, int length, float[] into, int to) {
    for (int i = 0; i < length; i++) {
      into[to + i] += apart[from + i];
    }
  }
}
