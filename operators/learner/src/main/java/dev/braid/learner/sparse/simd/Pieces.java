package dev.braid.learner.sparse.simd;

import java.util.Arrays;

/**
 * Copies of pieces of a dense matrix, aligned so that no vector crosses from one cache line into
 * the next. Reading a vector that crosses takes twice as long, which makes a product up to 1.4
 * times slower.
 *
 * <p>Java does not reveal the address of an array, and a garbage collector moves it. The aligned
 * start index is therefore found by measuring all candidates and choosing the fastest, which takes
 * about 0.01 % of the time of a thousand products. A direct buffer could be aligned permanently,
 * but the JIT compiler reads vectors from it at half the speed. An array's header takes 16 bytes,
 * or 12 with compact object headers, so any float may be the first of a cache line.
 */
final class Pieces {

  private static final int LINE_FLOATS = 64 / Float.BYTES;

  private static final int TURNS = 10;

  /** Size of a trial: one piece per value of one row of a sparse matrix. */
  private static final int COLUMNS = 16;

  private static final int ROWS = 8;

  private static final int[] COLUMN_OF = new int[COLUMNS];
  private static final float[] VALUES = new float[COLUMNS];

  static {
    Arrays.setAll(COLUMN_OF, column -> column);
  }

  private final float[] sums = new float[VectorProduct.BLOCK];
  private final long[] least = new long[LINE_FLOATS];
  private float[] array = new float[COLUMNS * VectorProduct.BLOCK + LINE_FLOATS];
  private int start;

  /** Reserves room for {@code length} elements. Returns whether the previous contents are lost. */
  boolean reserve(int length) {
    if (length + LINE_FLOATS <= array.length) {
      return false;
    }
    array = new float[length + LINE_FLOATS];
    return true;
  }

  /** Finds the start index for which access is fastest. The previous contents are lost. */
  void align() {
    Arrays.fill(array, 0);
    Arrays.fill(least, Long.MAX_VALUE);
    for (int turn = 0; turn < TURNS; turn++) {
      for (int i = 0; i < least.length; i++) {
        least[i] = Math.min(least[i], nanos(i));
      }
    }
    int best = 0;
    for (int i = 1; i < least.length; i++) {
      best = least[i] < least[best] ? i : best;
    }
    start = best;
  }

  private long nanos(int from) {
    long begin = System.nanoTime();
    for (int row = 0; row < ROWS; row++) {
      VectorProduct.addEight(
          array, from, VectorProduct.BLOCK, COLUMN_OF, VALUES, 0, COLUMNS, sums, 0);
    }
    return System.nanoTime() - begin;
  }

  float[] array() {
    return array;
  }

  /** Returns the index in the array at which the pieces begin. */
  int start() {
    return start;
  }
}
