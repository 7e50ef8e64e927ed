package dev.braid.learner.matrix.simd;

import static dev.braid.learner.matrix.simd.Lanes.LANES;
import static dev.braid.learner.matrix.simd.Lanes.SPECIES;
import static dev.braid.learner.matrix.simd.Lanes.load;

import jdk.incubator.vector.FloatVector;

/**
 * A tile of a product for processors with 32 vector registers: ten rows, two vectors wide.
 *
 * <p>The loop takes two steps at a time and does nothing else, since C2 neither unrolls it nor
 * inlines more than about 100 vector operations of a method. Twelve rows take as long for each sum.
 */
final class TenByTwo {

  static final int ROWS = 10;

  private TenByTwo() {}

  /**
   * Writes sums.
   *
   * @param a the first matrix, whose rows are contiguous
   * @param depth number of terms of a sum; even
   * @see SixByTwo#compute
   */
  static void compute(
      float[] a, int[] aRows, float[] panels, int panel, int depth, float[] into, int[] intoRows) {
    int row0 = aRows[0];
    int row1 = aRows[1];
    int row2 = aRows[2];
    int row3 = aRows[3];
    int row4 = aRows[4];
    int row5 = aRows[5];
    int row6 = aRows[6];
    int row7 = aRows[7];
    int row8 = aRows[8];
    int row9 = aRows[9];
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
    FloatVector sum60 = FloatVector.zero(SPECIES);
    FloatVector sum61 = FloatVector.zero(SPECIES);
    FloatVector sum70 = FloatVector.zero(SPECIES);
    FloatVector sum71 = FloatVector.zero(SPECIES);
    FloatVector sum80 = FloatVector.zero(SPECIES);
    FloatVector sum81 = FloatVector.zero(SPECIES);
    FloatVector sum90 = FloatVector.zero(SPECIES);
    FloatVector sum91 = FloatVector.zero(SPECIES);
    for (int k = 0; k < depth; k += 2) {
      int at = panel + k * 2 * LANES;
      FloatVector b0 = load(panels, at);
      FloatVector b1 = load(panels, at + LANES);
      FloatVector value = FloatVector.broadcast(SPECIES, a[row0 + k]);
      sum00 = value.fma(b0, sum00);
      sum01 = value.fma(b1, sum01);
      value = FloatVector.broadcast(SPECIES, a[row1 + k]);
      sum10 = value.fma(b0, sum10);
      sum11 = value.fma(b1, sum11);
      value = FloatVector.broadcast(SPECIES, a[row2 + k]);
      sum20 = value.fma(b0, sum20);
      sum21 = value.fma(b1, sum21);
      value = FloatVector.broadcast(SPECIES, a[row3 + k]);
      sum30 = value.fma(b0, sum30);
      sum31 = value.fma(b1, sum31);
      value = FloatVector.broadcast(SPECIES, a[row4 + k]);
      sum40 = value.fma(b0, sum40);
      sum41 = value.fma(b1, sum41);
      value = FloatVector.broadcast(SPECIES, a[row5 + k]);
      sum50 = value.fma(b0, sum50);
      sum51 = value.fma(b1, sum51);
      value = FloatVector.broadcast(SPECIES, a[row6 + k]);
      sum60 = value.fma(b0, sum60);
      sum61 = value.fma(b1, sum61);
      value = FloatVector.broadcast(SPECIES, a[row7 + k]);
      sum70 = value.fma(b0, sum70);
      sum71 = value.fma(b1, sum71);
      value = FloatVector.broadcast(SPECIES, a[row8 + k]);
      sum80 = value.fma(b0, sum80);
      sum81 = value.fma(b1, sum81);
      value = FloatVector.broadcast(SPECIES, a[row9 + k]);
      sum90 = value.fma(b0, sum90);
      sum91 = value.fma(b1, sum91);
      b0 = load(panels, at + 2 * LANES);
      b1 = load(panels, at + 3 * LANES);
      value = FloatVector.broadcast(SPECIES, a[row0 + k + 1]);
      sum00 = value.fma(b0, sum00);
      sum01 = value.fma(b1, sum01);
      value = FloatVector.broadcast(SPECIES, a[row1 + k + 1]);
      sum10 = value.fma(b0, sum10);
      sum11 = value.fma(b1, sum11);
      value = FloatVector.broadcast(SPECIES, a[row2 + k + 1]);
      sum20 = value.fma(b0, sum20);
      sum21 = value.fma(b1, sum21);
      value = FloatVector.broadcast(SPECIES, a[row3 + k + 1]);
      sum30 = value.fma(b0, sum30);
      sum31 = value.fma(b1, sum31);
      value = FloatVector.broadcast(SPECIES, a[row4 + k + 1]);
      sum40 = value.fma(b0, sum40);
      sum41 = value.fma(b1, sum41);
      value = FloatVector.broadcast(SPECIES, a[row5 + k + 1]);
      sum50 = value.fma(b0, sum50);
      sum51 = value.fma(b1, sum51);
      value = FloatVector.broadcast(SPECIES, a[row6 + k + 1]);
      sum60 = value.fma(b0, sum60);
      sum61 = value.fma(b1, sum61);
      value = FloatVector.broadcast(SPECIES, a[row7 + k + 1]);
      sum70 = value.fma(b0, sum70);
      sum71 = value.fma(b1, sum71);
      value = FloatVector.broadcast(SPECIES, a[row8 + k + 1]);
      sum80 = value.fma(b0, sum80);
      sum81 = value.fma(b1, sum81);
      value = FloatVector.broadcast(SPECIES, a[row9 + k + 1]);
      sum90 = value.fma(b0, sum90);
      sum91 = value.fma(b1, sum91);
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
    sum60.intoArray(into, intoRows[6]);
    sum61.intoArray(into, intoRows[6] + LANES);
    sum70.intoArray(into, intoRows[7]);
    sum71.intoArray(into, intoRows[7] + LANES);
    sum80.intoArray(into, intoRows[8]);
    sum81.intoArray(into, intoRows[8] + LANES);
    sum90.intoArray(into, intoRows[9]);
    sum91.intoArray(into, intoRows[9] + LANES);
  }
}
