package dev.braid.learner.sparse;

import dev.braid.learner.math.MultiplyAdd;

/** Weighted sums of rows: matrix products in which terms that are 0 are omitted. */
public final class WeightedRows {

  private WeightedRows() {}

  /**
   * Adds {@code factors[i] * rows[which[i] - base]} to the sum, for each {@code i} from {@code
   * start} to {@code end}, in this order, each by {@link MultiplyAdd}.
   */
  public static void add(
      float[] sum, float[][] rows, int base, int[] which, float[] factors, int start, int end) {
    int i = start;
    for (; i + 4 <= end; i += 4) {
      addFour(
          sum,
          rows[which[i] - base],
          factors[i],
          rows[which[i + 1] - base],
          factors[i + 1],
          rows[which[i + 2] - base],
          factors[i + 2],
          rows[which[i + 3] - base],
          factors[i + 3]);
    }
    if (i + 2 <= end) {
      addTwo(sum, rows[which[i] - base], factors[i], rows[which[i + 1] - base], factors[i + 1]);
      i += 2;
    }
    if (i < end) {
      addOne(sum, rows[which[i] - base], factors[i]);
    }
  }

  /**
   * Adds four rows at a time, to read and write the sum a quarter as often. C2 does not vectorise a
   * loop over eight rows.
   */
  private static void addFour(
      float[] sum,
      float[] a,
      float factorA,
      float[] b,
      float factorB,
      float[] c,
      float factorC,
      float[] d,
      float factorD) {
    for (int i = 0; i < sum.length; i++) {
      float two = MultiplyAdd.of(factorB, b[i], MultiplyAdd.of(factorA, a[i], sum[i]));
      sum[i] = MultiplyAdd.of(factorD, d[i], MultiplyAdd.of(factorC, c[i], two));
    }
  }

  private static void addTwo(float[] sum, float[] a, float factorA, float[] b, float factorB) {
    for (int i = 0; i < sum.length; i++) {
      sum[i] = MultiplyAdd.of(factorB, b[i], MultiplyAdd.of(factorA, a[i], sum[i]));
    }
  }

  private static void addOne(float[] sum, float[] a, float factor) {
    for (int i = 0; i < sum.length; i++) {
      sum[i] = MultiplyAdd.of(factor, a[i], sum[i]);
    }
  }
}
