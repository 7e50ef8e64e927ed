package dev.braid.learner.layer;

/** Loops that compute {@code max(0, x)} and its gradient over arrays. */
public final class RectifierLoops {

  private RectifierLoops() {}

  public static void rectify(float[] rows, int length) {
    for (int i = 0; i < length; i++) {
      rows[i] = Math.max(0, rows[i]);
    }
  }

  /** Computes {@code max(0, x + y)} in place, with the same {@code y} for each row. */
  public static void addAndRectify(float[] matrix, float[] row, int rows) {
    for (int r = 0; r < rows; r++) {
      int start = r * row.length;
      for (int i = 0; i < row.length; i++) {
        matrix[start + i] = Math.max(0, matrix[start + i] + row[i]);
      }
    }
  }

  /** Sets {@code delta} to 0 where the output is 0. */
  public static void mask(float[] delta, float[] output, int length) {
    for (int i = 0; i < length; i++) {
      // 0 for 0, 1 for values above 0 (two multiplications suffice for the smallest), NaN for NaN.
      // This is the only form that is vectorised. A branch takes 40 times as long.
      delta[i] *= Math.min(1, output[i] * Float.MAX_VALUE * Float.MAX_VALUE);
    }
  }
}
