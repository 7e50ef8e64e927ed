package dev.braid.learner.sparse;

import java.util.Arrays;

/**
 * The product of a sparse matrix and a dense one, which uses only the elements that are not 0. An
 * instance has its own buffers, and belongs to one thread.
 *
 * <p>An element is a sum that starts at 0 and adds the terms from the sparse matrix's first column
 * to its last by {@link dev.braid.learner.math.MultiplyAdd}. Inner loops read and write a separate
 * array for each row, because only then does the JIT compiler vectorise them.
 */
public final class SparseProduct {

  /**
   * Elements of the dense matrix that are read at a time, 256 KiB. Together with the sums of a
   * batch they stay in a core's second-level cache, which is read three times as fast as the third.
   */
  private static final int GROUP_FLOATS = 1 << 16;

  private final int width;
  private final int groupRows;
  private final float[] sum;
  private float[][] group = {};
  private float[][] sums = {};

  /** For each row, the index of its first value in the next group of columns. */
  private int[] next = {};

  /** Creates a product for dense matrices whose rows have {@code width} elements. */
  public SparseProduct(int width) {
    this(width, Math.max(4, GROUP_FLOATS / width));
  }

  /** Creates a product that reads {@code groupRows} rows of the dense matrix at a time. */
  SparseProduct(int width, int groupRows) {
    this.width = width;
    this.groupRows = groupRows;
    this.sum = new float[width];
  }

  /** Computes {@code into = sparse dense}, row after row from index {@code start} on. */
  public void compute(SparseMatrix sparse, DenseRows dense, float[] into, int start) {
    // If there are at least as many sums as rows of the dense matrix, copies of all these rows are
    // kept instead of the sums: for a gradient with a row for each of very many features, the sums
    // would be a second gradient.
    boolean isAtOnce = sparse.columns() <= Math.max(groupRows, sparse.rows());
    int rowsAtOnce = isAtOnce ? sparse.columns() : groupRows;
    if (group.length < rowsAtOnce) {
      group = new float[rowsAtOnce][width];
    }
    if (isAtOnce) {
      computeAtOnce(sparse, dense, into, start);
    } else {
      computeInGroups(sparse, dense, into, start);
    }
  }

  private void computeAtOnce(SparseMatrix sparse, DenseRows dense, float[] into, int start) {
    take(sparse, dense, 0, sparse.columns());
    for (int row = 0; row < sparse.rows(); row++) {
      int at = start + row * width;
      if (sparse.start(row) == sparse.end(row)) {
        Arrays.fill(into, at, at + width, 0);
      } else {
        Arrays.fill(sum, 0);
        add(sum, sparse, 0, sparse.start(row), sparse.end(row));
        System.arraycopy(sum, 0, into, at, width);
      }
    }
  }

  private void computeInGroups(SparseMatrix sparse, DenseRows dense, float[] into, int start) {
    int rows = sparse.rows();
    if (sums.length < rows) {
      sums = new float[rows][width];
      next = new int[rows];
    }
    for (int row = 0; row < rows; row++) {
      Arrays.fill(sums[row], 0);
      next[row] = sparse.start(row);
    }
    for (int first = 0; first < sparse.columns(); first += groupRows) {
      int end = Math.min(first + groupRows, sparse.columns());
      take(sparse, dense, first, end);
      for (int row = 0; row < rows; row++) {
        addGroup(row, sparse, first, end);
      }
    }
    for (int row = 0; row < rows; row++) {
      System.arraycopy(sums[row], 0, into, start + row * width, width);
    }
  }

  private void take(SparseMatrix sparse, DenseRows dense, int first, int end) {
    for (int i = first; i < end; i++) {
      if (sparse.hasColumn(i)) {
        dense.copy(i, group[i - first]);
      }
    }
  }

  private void addGroup(int row, SparseMatrix sparse, int first, int end) {
    int from = next[row];
    int to = from;
    while (to < sparse.end(row) && sparse.columnOf()[to] < end) {
      to++;
    }
    add(sums[row], sparse, first, from, to);
    next[row] = to;
  }

  private void add(float[] into, SparseMatrix sparse, int first, int from, int to) {
    WeightedRows.add(into, group, first, sparse.columnOf(), sparse.values(), from, to);
  }
}
