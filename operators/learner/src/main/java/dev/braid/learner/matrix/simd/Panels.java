package dev.braid.learner.matrix.simd;

import dev.braid.learner.matrix.Matrix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Copies of parts of a matrix, each as wide as a {@link Tile}, so that everything a tile reads is
 * contiguous. Several are copied at a time, because the rows of a wide matrix are far apart, each
 * on a separate memory page.
 */
final class Panels {

  /** Elements of all panels together: half a MiB. */
  private static final int MOST_FLOATS = 1 << 17;

  /**
   * A panel, stored row after row.
   *
   * @param start index of its first element
   * @param column column of the matrix that is its first one
   * @param columns number of the matrix's columns in it; the tile's remaining columns are 0
   */
  record Panel(Tile tile, int start, int column, int columns) {}

  private final float[] values;
  private final List<Panel> panels = new ArrayList<>();

  /** Reserves memory for panels of at most {@code mostDepth} rows. */
  Panels(int mostDepth) {
    this.values = new float[Math.max(MOST_FLOATS, mostDepth * Tile.MOST_COLUMNS)];
  }

  /**
   * Copies as many panels as fit.
   *
   * @param b the matrix, stored row after row
   * @param first its first row to copy
   * @param depth number of rows
   * @param column first column of the first panel
   * @return the column behind the last panel
   */
  int take(Matrix b, int first, int depth, int column) {
    panels.clear();
    int start = 0;
    int end = column;
    while (end < b.columns()) {
      Tile tile = Tile.of(b.columns() - end);
      if (start + depth * tile.columns() > values.length) {
        break;
      }
      int columns = Math.min(tile.columns(), b.columns() - end);
      panels.add(new Panel(tile, start, end, columns));
      start += depth * tile.columns();
      end += columns;
    }
    for (int k = 0; k < depth; k++) {
      for (int i = 0; i < panels.size(); i++) {
        Panel panel = panels.get(i);
        int width = panel.tile().columns();
        takeRow(
            b, b.at(first + k, panel.column()), panel.columns(), panel.start() + k * width, width);
      }
    }
    return end;
  }

  private void takeRow(Matrix b, int from, int columns, int at, int width) {
    if (columns == width) {
      Tile.copy(b.values(), from, values, at, width);
    } else {
      System.arraycopy(b.values(), from, values, at, columns);
      Arrays.fill(values, at + columns, at + width, 0);
    }
  }

  int count() {
    return panels.size();
  }

  Panel panel(int index) {
    return panels.get(index);
  }

  float[] values() {
    return values;
  }
}
