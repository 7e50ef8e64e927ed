package dev.braid.learner.sparse.vector;

import java.util.Arrays;

/**
 * Pieces of a dense matrix, which begin where a vector does not cross from one line of the cache
 * into the next: such take twice as long to be read, and a product up to 1.4 times.
 *
 * <p>Where in memory an array lies, Java does not say, and a garbage collector moves it. So the
 * place to begin at is found by trying all that there can be, and looking for what takes the least
 * time, which takes some ten thousandths of the time of a thousand products. A direct buffer could
 * be aligned for good; but the JIT compiler reads vectors from it at half the speed. What is before
 * an array's elements takes 16 bytes, or 12 with compact object headers: so any float may be the
 * first of a line.
 */
final class Pieces {

  private static final int LINE_FLOATS = 64 / Float.BYTES;

  private static final int TURNS = 10;

  /** Of a trial: a piece each, as of a sparse matrix's row. */
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

  /** Makes room for so many elements; whether what was there is lost. */
  boolean reserve(int length) {
    if (length + LINE_FLOATS <= array.length) {
      return false;
    }
    array = new float[length + LINE_FLOATS];
    return true;
  }

  /** Finds out where to begin; what was there is lost. */
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

  /** Where in the array they begin. */
  int start() {
    return start;
  }
}
