package dev.braid.learner.matrix.simd;

import static dev.braid.learner.matrix.simd.Lanes.LANES;
import static dev.braid.learner.matrix.simd.Lanes.SPECIES;
import static dev.braid.learner.matrix.simd.Lanes.load;

import jdk.incubator.vector.FloatVector;

/** A tile of a product: twelve rows, one vector wide. */
final class TwelveByOne {

  static final int ROWS = 12;

  private TwelveByOne() {}

  /**
   * Writes sums.
   *
   * @see SixByTwo#compute
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
    int row6 = aRows[6];
    int row7 = aRows[7];
    int row8 = aRows[8];
    int row9 = aRows[9];
    int row10 = aRows[10];
    int row11 = aRows[11];
    FloatVector sum0 = FloatVector.zero(SPECIES);
    FloatVector sum1 = FloatVector.zero(SPECIES);
    FloatVector sum2 = FloatVector.zero(SPECIES);
    FloatVector sum3 = FloatVector.zero(SPECIES);
    FloatVector sum4 = FloatVector.zero(SPECIES);
    FloatVector sum5 = FloatVector.zero(SPECIES);
    FloatVector sum6 = FloatVector.zero(SPECIES);
    FloatVector sum7 = FloatVector.zero(SPECIES);
    FloatVector sum8 = FloatVector.zero(SPECIES);
    FloatVector sum9 = FloatVector.zero(SPECIES);
    FloatVector sum10 = FloatVector.zero(SPECIES);
    FloatVector sum11 = FloatVector.zero(SPECIES);
    for (int k = 0; k < depth; k++) {
      FloatVector b = load(panels, panel + k * LANES);
      int step = k * aStep;
      sum0 = FloatVector.broadcast(SPECIES, a[row0 + step]).fma(b, sum0);
      sum1 = FloatVector.broadcast(SPECIES, a[row1 + step]).fma(b, sum1);
      sum2 = FloatVector.broadcast(SPECIES, a[row2 + step]).fma(b, sum2);
      sum3 = FloatVector.broadcast(SPECIES, a[row3 + step]).fma(b, sum3);
      sum4 = FloatVector.broadcast(SPECIES, a[row4 + step]).fma(b, sum4);
      sum5 = FloatVector.broadcast(SPECIES, a[row5 + step]).fma(b, sum5);
      sum6 = FloatVector.broadcast(SPECIES, a[row6 + step]).fma(b, sum6);
      sum7 = FloatVector.broadcast(SPECIES, a[row7 + step]).fma(b, sum7);
      sum8 = FloatVector.broadcast(SPECIES, a[row8 + step]).fma(b, sum8);
      sum9 = FloatVector.broadcast(SPECIES, a[row9 + step]).fma(b, sum9);
      sum10 = FloatVector.broadcast(SPECIES, a[row10 + step]).fma(b, sum10);
      sum11 = FloatVector.broadcast(SPECIES, a[row11 + step]).fma(b, sum11);
    }
    sum0.intoArray(into, intoRows[0]);
    sum1.intoArray(into, intoRows[1]);
    sum2.intoArray(into, intoRows[2]);
    sum3.intoArray(into, intoRows[3]);
    sum4.intoArray(into, intoRows[4]);
    sum5.intoArray(into, intoRows[5]);
    sum6.intoArray(into, intoRows[6]);
    sum7.intoArray(into, intoRows[7]);
    sum8.intoArray(into, intoRows[8]);
    sum9.intoArray(into, intoRows[9]);
    sum10.intoArray(into, intoRows[10]);
    sum11.intoArray(into, intoRows[11]);
  }
}
