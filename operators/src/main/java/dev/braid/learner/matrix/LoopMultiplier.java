package dev.braid.learner.matrix;

import dev.braid.learner.sparse.WeightedRows;
import java.util.Arrays;

/** Products in plain loops: rows of the second matrix, each times a number of the first. */
final class LoopMultiplier implements MatrixMultiplier {

  private float[][] block = {};
  private float[] sum = {};
  private float[] row = {};
  private final float[] factors = new float[BLOCK_DEPTH];
  private final int[] which = new int[BLOCK_DEPTH];

  LoopMultiplier() {
    Arrays.setAll(which, i -> i);
  }

  @Override
  public void multiply(Matrix a, Matrix b, Matrix c, boolean adds) {
    int width = c.columns();
    reserve(Math.min(BLOCK_DEPTH, b.rows()), width);
    if (b.rows() == 0 && !adds) {
      Arrays.fill(c.values(), c.start(), c.start() + c.size(), 0);
    }
    for (int first = 0; first < b.rows(); first += BLOCK_DEPTH) {
      int depth = Math.min(BLOCK_DEPTH, b.rows() - first);
      for (int k = 0; k < depth; k++) {
        b.copyRow(first + k, 0, width, block[k], 0);
      }
      for (int i = 0; i < c.rows(); i++) {
        Arrays.fill(sum, 0);
        a.copyRow(i, first, depth, factors, 0);
        WeightedRows.add(sum, block, 0, which, factors, 0, depth);
        if (adds || first > 0) {
          c.copyRow(i, 0, width, row, 0);
          add(row, sum);
        }
        c.putRow(i, 0, width, sum, 0);
      }
    }
  }

  private static void add(float[] from, float[] to) {
    for (int i = 0; i < to.length; i++) {
      to[i] += from[i];
    }
  }

  private void reserve(int rows, int width) {
    if (sum.length != width || block.length < rows) {
      sum = new float[width];
      row = new float[width];
      block = new float[rows][width];
    }
  }
}
