package dev.braid.learner.matrix.simd;

import static dev.braid.learner.matrix.simd.Lanes.LANES;
import static dev.braid.learner.matrix.simd.Lanes.SPECIES;
import static dev.braid.learner.matrix.simd.Lanes.load;

import jdk.incubator.vector.FloatVector;

/**
 * A tile of a product, whose sums all stay in registers while they are computed: six rows, two
 * vectors wide.
 */
final class SixByTwo {

  static final int ROWS = 6;

  private SixByTwo() {}

  /**
   * Writes sums.
   *
   * @param a the first matrix
   * @param aRows start of each row in the first matrix
   * @param aStep distance between the elements of such a row
   * @param panels rows of the second matrix, as wide as this tile
   * @param panel start of these rows
   * @param depth number of these rows
   * @param into written with the sums
   * @param intoRows start of each row in {@code into}
   */
  static void compute(
      float[] a,
      int[] aRows,
      int aStep,
      float[] panels,
      int panel,
      int depth,
      float[] into,
      int[] intoRows) {
    int row0 = aRows[0];
    int row1 = aRows[1];
    int row2 = aRows[2];
    int row3 = aRows[3];
    int row4 = aRows[4];
    int row5 = aRows[5];
    FloatVector sum00 = FloatVector.zero(SPECIES);
    FloatVector sum01 = FloatVector.zero(SPECIES);
    FloatVector sum10 = FloatVector.zero(SPECIES);
    FloatVector sum11 = FloatVector.zero(SPECIES);
    FloatVector sum20 = FloatVector.zero(SPECIES);
    FloatVector sum21 = FloatVector.zero(SPECIES);
    FloatVector sum30 = FloatVector.zero(SPECIES);
    FloatVector sum31 = FloatVector.zero(SPECIES);
    FloatVector sum40 = FloatVector.zero(SPECIES);
    FloatVector sum41 = FloatVector.zero(SPECIES);
    FloatVector sum50 = FloatVector.zero(SPECIES);
    FloatVector sum51 = FloatVector.zero(SPECIES);
    for (int k = 0; k < depth; k++) {
      int at = panel + k * 2 * LANES;
      int step = k * aStep;
      FloatVector b0 = load(panels, at);
      FloatVector b1 = load(panels, at + LANES);
      FloatVector value = FloatVector.broadcast(SPECIES, a[row0 + step]);
      sum00 = value.fma(b0, sum00);
      sum01 = value.fma(b1, sum01);
      value = FloatVector.broadcast(SPECIES, a[row1 + step]);
      sum10 = value.fma(b0, sum10);
      sum11 = value.fma(b1, sum11);
      value = FloatVector.broadcast(SPECIES, a[row2 + step]);
      sum20 = value.fma(b0, sum20);
      sum21 = value.fma(b1, sum21);
      value = FloatVector.broadcast(SPECIES, a[row3 + step]);
      sum30 = value.fma(b0, sum30);
      sum31 = value.fma(b1, sum31);
      value = FloatVector.broadcast(SPECIES, a[row4 + step]);
      sum40 = value.fma(b0, sum40);
      sum41 = value.fma(b1, sum41);
      value = FloatVector.broadcast(SPECIES, a[row5 + step]);
      sum50 = value.fma(b0, sum50);
      sum51 = value.fma(b1, sum51);
    }
    sum00.intoArray(into, intoRows[0]);
    sum01.intoArray(into, intoRows[0] + LANES);
    sum10.intoArray(into, intoRows[1]);
    sum11.intoArray(into, intoRows[1] + LANES);
    sum20.intoArray(into, intoRows[2]);
    sum21.intoArray(into, intoRows[2] + LANES);
    sum30.intoArray(into, intoRows[3]);
    sum31.intoArray(into, intoRows[3] + LANES);
    sum40.intoArray(into, intoRows[4]);
    sum41.intoArray(into, intoRows[4] + LANES);
    sum50.intoArray(into, intoRows[5]);
    sum51.intoArray(into, intoRows[5] + LANES);
  }
}
