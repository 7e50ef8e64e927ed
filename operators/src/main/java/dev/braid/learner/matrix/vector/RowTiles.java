package dev.braid.learner.matrix.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Parts of a product that no {@link Tile} is made for: of a single row, and of twelve rows where a
 * panel is one vector wide. Each element is the same sum as in a tile, in the same order.
 */
final class RowTiles {

  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = Tile.LANES;

  /** Rows of {@link #manyByOne}. */
  static final int MANY_ROWS = 12;

  private RowTiles() {}

  /**
   * Computes a part of one row of a product.
   *
   * @param vectors width of the panel, from 1 to 4
   * @param row start of the row in {@code a}
   * @param intoRow start of the sums in {@code into}
   * @see Tile#compute
   */
  static void one(int vectors, float[] a, int row, int aStep, float[] panels, int panel, int depth, float[] into, int intoRow, boolean adds) {
    switch (vectors) {
      case 1 -> oneVector(a, row, aStep, panels, panel, depth, into, intoRow, adds);
      case 2 -> twoVectors(a, row, aStep, panels, panel, depth, into, intoRow, adds);
      case 3 -> threeVectors(a, row, aStep, panels, panel, depth, into, intoRow, adds);
      default -> fourVectors(a, row, aStep, panels, panel, depth, into, intoRow, adds);
    }
  }

  private static void oneVector(float[] a, int row, int aStep, float[] panels, int panel, int depth, float[] into, int intoRow, boolean adds) {
    FloatVector sum0 = FloatVector.zero(SPECIES);
    for (int k = 0; k < depth; k++) {
      int at = panel + k * LANES;
      FloatVector value = FloatVector.broadcast(SPECIES, a[row + k * aStep]);
      sum0 = value.fma(vector(panels, at), sum0);
    }
    if (adds) {
      sum0 = sum0.add(vector(into, intoRow));
    }
    sum0.intoArray(into, intoRow);
  }

  private static void twoVectors(float[] a, int row, int aStep, float[] panels, int panel, int depth, float[] into, int intoRow, boolean adds) {
    FloatVector sum0 = FloatVector.zero(SPECIES);
    FloatVector sum1 = FloatVector.zero(SPECIES);
    for (int k = 0; k < depth; k++) {
      int at = panel + k * 2 * LANES;
      FloatVector value = FloatVector.broadcast(SPECIES, a[row + k * aStep]);
      sum0 = value.fma(vector(panels, at), sum0);
      sum1 = value.fma(vector(panels, at + LANES), sum1);
    }
    if (adds) {
      sum0 = sum0.add(vector(into, intoRow));
      sum1 = sum1.add(vector(into, intoRow + LANES));
    }
    sum0.intoArray(into, intoRow);
    sum1.intoArray(into, intoRow + LANES);
  }

  private static void threeVectors(float[] a, int row, int aStep, float[] panels, int panel, int depth, float[] into, int intoRow, boolean adds) {
    FloatVector sum0 = FloatVector.zero(SPECIES);
    FloatVector sum1 = FloatVector.zero(SPECIES);
    FloatVector sum2 = FloatVector.zero(SPECIES);
    for (int k = 0; k < depth; k++) {
      int at = panel + k * 3 * LANES;
      FloatVector value = FloatVector.broadcast(SPECIES, a[row + k * aStep]);
      sum0 = value.fma(vector(panels, at), sum0);
      sum1 = value.fma(vector(panels, at + LANES), sum1);
      sum2 = value.fma(vector(panels, at + 2 * LANES), sum2);
    }
    if (adds) {
      sum0 = sum0.add(vector(into, intoRow));
      sum1 = sum1.add(vector(into, intoRow + LANES));
      sum2 = sum2.add(vector(into, intoRow + 2 * LANES));
    }
    sum0.intoArray(into, intoRow);
    sum1.intoArray(into, intoRow + LANES);
    sum2.intoArray(into, intoRow + 2 * LANES);
  }

  private static void fourVectors(float[] a, int row, int aStep, float[] panels, int panel, int depth, float[] into, int intoRow, boolean adds) {
    FloatVector sum0 = FloatVector.zero(SPECIES);
    FloatVector sum1 = FloatVector.zero(SPECIES);
    FloatVector sum2 = FloatVector.zero(SPECIES);
    FloatVector sum3 = FloatVector.zero(SPECIES);
    for (int k = 0; k < depth; k++) {
      int at = panel + k * 4 * LANES;
      FloatVector value = FloatVector.broadcast(SPECIES, a[row + k * aStep]);
      sum0 = value.fma(vector(panels, at), sum0);
      sum1 = value.fma(vector(panels, at + LANES), sum1);
      sum2 = value.fma(vector(panels, at + 2 * LANES), sum2);
      sum3 = value.fma(vector(panels, at + 3 * LANES), sum3);
    }
    if (adds) {
      sum0 = sum0.add(vector(into, intoRow));
      sum1 = sum1.add(vector(into, intoRow + LANES));
      sum2 = sum2.add(vector(into, intoRow + 2 * LANES));
      sum3 = sum3.add(vector(into, intoRow + 3 * LANES));
    }
    sum0.intoArray(into, intoRow);
    sum1.intoArray(into, intoRow + LANES);
    sum2.intoArray(into, intoRow + 2 * LANES);
    sum3.intoArray(into, intoRow + 3 * LANES);
  }

  /**
   * Computes a part of {@value #MANY_ROWS} rows of a product, one vector wide.
   *
   * @see Tile#compute
   */
  static void manyByOne(float[] a, int[] aRows, int aStep, float[] panels, int panel, int depth, float[] into, int[] intoRows, boolean adds) {
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
      FloatVector b = vector(panels, panel + k * LANES);
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
    if (adds) {
      sum0 = sum0.add(vector(into, intoRows[0]));
      sum1 = sum1.add(vector(into, intoRows[1]));
      sum2 = sum2.add(vector(into, intoRows[2]));
      sum3 = sum3.add(vector(into, intoRows[3]));
      sum4 = sum4.add(vector(into, intoRows[4]));
      sum5 = sum5.add(vector(into, intoRows[5]));
      sum6 = sum6.add(vector(into, intoRows[6]));
      sum7 = sum7.add(vector(into, intoRows[7]));
      sum8 = sum8.add(vector(into, intoRows[8]));
      sum9 = sum9.add(vector(into, intoRows[9]));
      sum10 = sum10.add(vector(into, intoRows[10]));
      sum11 = sum11.add(vector(into, intoRows[11]));
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

  private static FloatVector vector(float[] values, int at) {
    return FloatVector.fromArray(SPECIES, values, at);
  }
}
