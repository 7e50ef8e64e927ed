package dev.braid.learner.matrix;

import dev.braid.learner.sparse.WeightedRows;
import java.util.Arrays;

/** Products in plain loops: rows of the second matrix, each times a number of the first. */
final class LoopMultiplier implements MatrixMultiplier {

  /** Of the second matrix at a time, 256 KiB, which stay in a core's second cache. */
  private static final int GROUP_FLOATS = 1 << 16;

  private float[][] group = {};
  private float[] sum = {};
  private float[] factors = {};
  private int[] which = {};

  @Override
  public void multiply(Matrix a, Matrix b, Matrix c, boolean adds) {
    int width = c.columns();
    int groupRows = Math.max(4, GROUP_FLOATS / Math.max(1, width));
    reserve(Math.min(groupRows, b.rows()), width);
    if (b.rows() == 0 && !adds) {
      Arrays.fill(c.values(), c.start(), c.start() + c.size(), 0);
    }
    for (int first = 0; first < b.rows(); first += groupRows) {
      int depth = Math.min(groupRows, b.rows() - first);
      for (int k = 0; k < depth; k++) {
        b.copyRow(first + k, 0, width, group[k], 0);
      }
      for (int row = 0; row < c.rows(); row++) {
        begin(c, row, adds || first > 0);
        a.copyRow(row, first, depth, factors, 0);
        WeightedRows.add(sum, group, 0, which, factors, 0, depth);
        c.putRow(row, 0, width, sum, 0);
      }
    }
  }

  private void begin(Matrix c, int row, boolean adds) {
    if (adds) {
      c.copyRow(row, 0, sum.length, sum, 0);
    } else {
      Arrays.fill(sum, 0);
    }
  }

  private void reserve(int rows, int width) {
    if (sum.length != width || group.length < rows) {
      sum = new float[width];
      group = new float[rows][width];
      factors = new float[rows];
      which = new int[rows];
      Arrays.setAll(which, i -> i);
    }
  }
}
