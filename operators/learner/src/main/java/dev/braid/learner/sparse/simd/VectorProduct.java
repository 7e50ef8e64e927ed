package dev.braid.learner.sparse.simd;

import dev.braid.learner.sparse.DenseRows;
import dev.braid.learner.sparse.SparseMatrix;
import dev.braid.learner.sparse.SparseVectors;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * A sparse product with vectors of the width of the processor's registers. Pieces of the dense
 * matrix that fit a core's first-level cache are multiplied by all rows of the sparse matrix. The
 * sums are in eight registers at a time (after Goto and van de Geijn, "Anatomy of high-performance
 * matrix multiplication", 2008, with the sparse matrix's values instead of a packed operand).
 *
 * <p>The JIT compiler does not generate such code from loops: for pieces as short as these, loops
 * spend their time before and after the vectorised part. It is for processors that multiply and add
 * in one instruction, which {@link dev.braid.learner.math.MultiplyAdd} then uses, too.
 */
public final class VectorProduct implements SparseVectors {

  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;

  /** Number of elements in a vector, which is also the smallest number of elements in a row. */
  public static final int LANES = SPECIES.length();

  /** Number of elements of a row whose sums are in registers at a time. */
  static final int BLOCK = 8 * LANES;

  /**
   * Number of rows of the dense matrix that are processed at a time: 32 KiB of pieces, with vectors
   * of 16 elements.
   */
  private static final int GROUP_ROWS = 64;

  /**
   * Highest number of rows of the dense matrix that are processed at once: reading pieces from the
   * second-level cache is faster than writing all sums twice.
   */
  private static final int MOST_ROWS_AT_ONCE = 128;

  /**
   * Number of products after which the pieces are aligned again, because the garbage collector may
   * have moved them.
   */
  private static final int ALIGNED_PRODUCTS = 1000;

  private final Pieces pieces = new Pieces();
  private int products;

  /** For each row, the indices of its first value in a group of columns, and behind its last. */
  private int[] from = {};

  private int[] to = {};

  @Override
  public void compute(SparseMatrix sparse, DenseRows dense, float[] into, int start) {
    int rows = sparse.rows();
    if (sparse.columns() == 0) {
      Arrays.fill(into, start, start + rows * dense.width(), 0);
    }
    int groupRows = sparse.columns() <= MOST_ROWS_AT_ONCE ? sparse.columns() : GROUP_ROWS;
    reserve(rows, groupRows);
    for (int row = 0; row < rows; row++) {
      to[row] = sparse.start(row);
    }
    for (int first = 0; first < sparse.columns(); first += groupRows) {
      int end = Math.min(first + groupRows, sparse.columns());
      seek(sparse, end);
      addGroup(sparse, dense, first, end, into, start);
    }
  }

  private void reserve(int rows, int groupRows) {
    if (from.length < rows) {
      from = new int[rows];
      to = new int[rows];
    }
    if (pieces.reserve(groupRows * BLOCK) || ++products == ALIGNED_PRODUCTS) {
      products = 0;
      pieces.align();
    }
  }

  private void seek(SparseMatrix sparse, int endColumn) {
    int[] columns = sparse.columnOf();
    for (int row = 0; row < sparse.rows(); row++) {
      int i = to[row];
      from[row] = i;
      while (i < sparse.end(row) && columns[i] < endColumn) {
        i++;
      }
      to[row] = i;
    }
  }

  private void addGroup(
      SparseMatrix sparse, DenseRows dense, int first, int end, float[] into, int start) {
    int width = dense.width();
    float[] array = pieces.array();
    int block;
    for (int at = 0; at < width; at += block) {
      int left = width - at;
      block = left >= BLOCK || (left > BLOCK / 2 && width > BLOCK) ? BLOCK : LANES;
      // The last block ends with the row. Where it overlaps the block before, zeros are added,
      // because those sums are complete.
      int overlap = Math.max(0, block - left);
      for (int row = first; row < end; row++) {
        if (sparse.hasColumn(row)) {
          int piece = pieces.start() + (row - first) * block;
          Arrays.fill(array, piece, piece + overlap, 0);
          dense.copy(row, at, array, piece + overlap, block - overlap);
        }
      }
      addBlock(sparse, first, block, overlap, into, start + at - overlap, width);
    }
  }

  private void addBlock(
      SparseMatrix sparse, int first, int block, int overlap, float[] into, int start, int width) {
    float[] array = pieces.array();
    // The piece of column c begins at index base + c * block.
    int base = pieces.start() - first * block;
    for (int row = 0; row < sparse.rows(); row++) {
      int at = start + row * width;
      if (first == 0) {
        Arrays.fill(into, at + overlap, at + block, 0);
      }
      if (from[row] == to[row]) {
        continue;
      }
      if (block == BLOCK) {
        addEight(
            array, base, BLOCK, sparse.columnOf(), sparse.values(), from[row], to[row], into, at);
      } else {
        addOne(
            array, base, LANES, sparse.columnOf(), sparse.values(), from[row], to[row], into, at);
      }
    }
  }

  @Override
  public void add(
      float[] sum, float[] rows, int length, int[] which, float[] factors, int start, int end) {
    int at = 0;
    for (; at + BLOCK <= length; at += BLOCK) {
      addEight(rows, at, length, which, factors, start, end, sum, at);
    }
    for (; at < length; at += LANES) {
      addOne(rows, at, length, which, factors, start, end, sum, at);
    }
  }

  static void addEight(
      float[] pieces,
      int base,
      int step,
      int[] columns,
      float[] values,
      int from,
      int to,
      float[] into,
      int at) {
    FloatVector sum0 = vector(into, at);
    FloatVector sum1 = vector(into, at + LANES);
    FloatVector sum2 = vector(into, at + 2 * LANES);
    FloatVector sum3 = vector(into, at + 3 * LANES);
    FloatVector sum4 = vector(into, at + 4 * LANES);
    FloatVector sum5 = vector(into, at + 5 * LANES);
    FloatVector sum6 = vector(into, at + 6 * LANES);
    FloatVector sum7 = vector(into, at + 7 * LANES);
    for (int i = from; i < to; i++) {
      int piece = base + columns[i] * step;
      FloatVector value = FloatVector.broadcast(SPECIES, values[i]);
      sum0 = value.fma(vector(pieces, piece), sum0);
      sum1 = value.fma(vector(pieces, piece + LANES), sum1);
      sum2 = value.fma(vector(pieces, piece + 2 * LANES), sum2);
      sum3 = value.fma(vector(pieces, piece + 3 * LANES), sum3);
      sum4 = value.fma(vector(pieces, piece + 4 * LANES), sum4);
      sum5 = value.fma(vector(pieces, piece + 5 * LANES), sum5);
      sum6 = value.fma(vector(pieces, piece + 6 * LANES), sum6);
      sum7 = value.fma(vector(pieces, piece + 7 * LANES), sum7);
    }
    sum0.intoArray(into, at);
    sum1.intoArray(into, at + LANES);
    sum2.intoArray(into, at + 2 * LANES);
    sum3.intoArray(into, at + 3 * LANES);
    sum4.intoArray(into, at + 4 * LANES);
    sum5.intoArray(into, at + 5 * LANES);
    sum6.intoArray(into, at + 6 * LANES);
    sum7.intoArray(into, at + 7 * LANES);
  }

  private static void addOne(
      float[] pieces,
      int base,
      int step,
      int[] columns,
      float[] values,
      int from,
      int to,
      float[] into,
      int at) {
    FloatVector sum = vector(into, at);
    for (int i = from; i < to; i++) {
      FloatVector value = FloatVector.broadcast(SPECIES, values[i]);
      sum = value.fma(vector(pieces, base + columns[i] * step), sum);
    }
    sum.intoArray(into, at);
  }

  private static FloatVector vector(float[] array, int at) {
    return FloatVector.fromArray(SPECIES, array, at);
  }
}
