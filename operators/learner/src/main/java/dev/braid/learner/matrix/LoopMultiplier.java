package dev.braid.learner.matrix;

import dev.braid.learner.sparse.WeightedRows;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Products in plain loops: sums of the second matrix's rows, each times an element of the first.
 */
final class LoopMultiplier implements MatrixMultiplier {

  /**
   * Buffers for rows of exactly one width, because the JIT compiler vectorises loops over whole
   * arrays.
   */
  private static final class Rows {
    private final float[] sum;
    private final float[] other;
    private float[][] block = {};

    Rows(int width) {
      this.sum = new float[width];
      this.other = new float[width];
    }

    void reserve(int rows) {
      if (block.length < rows) {
        block = new float[rows][sum.length];
      }
    }
  }

  private final Map<Integer, Rows> ofWidths = new HashMap<>();
  private float[] factors = {};
  private int[] which = {};

  @Override
  public void multiply(Matrix a, Matrix b, Matrix c, boolean adds) {
    int width = c.columns();
    Rows rows = ofWidths.computeIfAbsent(width, Rows::new);
    reserve(Math.min(BLOCK_DEPTH, b.rows()));
    rows.reserve(Math.min(BLOCK_DEPTH, b.rows()));
    if (b.rows() == 0 && !adds) {
      Arrays.fill(c.values(), c.start(), c.start() + c.size(), 0);
    }
    for (int first = 0; first < b.rows(); first += Math.min(BLOCK_DEPTH, b.rows() - first)) {
      int depth = Math.min(BLOCK_DEPTH, b.rows() - first);
      for (int k = 0; k < depth; k++) {
        b.copyRow(first + k, 0, width, rows.block[k], 0);
      }
      for (int i = 0; i < c.rows(); i++) {
        Arrays.fill(rows.sum, 0);
        a.copyRow(i, first, depth, factors, 0);
        WeightedRows.add(rows.sum, rows.block, 0, which, factors, 0, depth);
        if (adds || first > 0) {
          c.copyRow(i, 0, width, rows.other, 0);
          add(rows.other, rows.sum);
        }
        c.putRow(i, 0, width, rows.sum, 0);
      }
    }
  }

  private void reserve(int depth) {
    if (factors.length < depth) {
      factors = new float[depth];
      which = new int[depth];
      Arrays.setAll(which, i -> i);
    }
  }

  private static void add(float[] from, float[] to) {
    for (int i = 0; i < to.length; i++) {
      to[i] += from[i];
    }
  }
}
