package dev.braid.learner.matrix.simd;

import static dev.braid.learner.matrix.simd.Lanes.LANES;
import static dev.braid.learner.matrix.simd.Lanes.SPECIES;
import static dev.braid.learner.matrix.simd.Lanes.load;

import jdk.incubator.vector.FloatVector;

/**
 * Parts of one row of a product. Sums of several panels at a time hide the latency of each
 * addition.
 */
final class SingleRow {

  /** Number of panels that {@link #fourPanels} multiplies by. */
  static final int PANELS = 4;

  private SingleRow() {}

  /**
   * Writes the sums of {@value #PANELS} consecutive panels, each two vectors wide.
   *
   * @param row start of the row in the first matrix
   * @param aStep distance between the row's elements
   * @param panel start of the first panel
   * @param start index in {@code into} of the first sum
   */
  static void fourPanels(
      float[] a,
      int row,
      int aStep,
      float[] panels,
      int panel,
      int depth,
      float[] into,
      int start) {
    int size = depth * 2 * LANES;
    FloatVector sum00 = FloatVector.zero(SPECIES);
    FloatVector sum01 = FloatVector.zero(SPECIES);
    FloatVector sum10 = FloatVector.zero(SPECIES);
    FloatVector sum11 = FloatVector.zero(SPECIES);
    FloatVector sum20 = FloatVector.zero(SPECIES);
    FloatVector sum21 = FloatVector.zero(SPECIES);
    FloatVector sum30 = FloatVector.zero(SPECIES);
    FloatVector sum31 = FloatVector.zero(SPECIES);
    int panel1 = panel + size;
    int panel2 = panel + 2 * size;
    int panel3 = panel + 3 * size;
    for (int k = 0; k < depth; k++) {
      int at = k * 2 * LANES;
      FloatVector value = FloatVector.broadcast(SPECIES, a[row + k * aStep]);
      sum00 = value.fma(load(panels, panel + at), sum00);
      sum01 = value.fma(load(panels, panel + at + LANES), sum01);
      sum10 = value.fma(load(panels, panel1 + at), sum10);
      sum11 = value.fma(load(panels, panel1 + at + LANES), sum11);
      sum20 = value.fma(load(panels, panel2 + at), sum20);
      sum21 = value.fma(load(panels, panel2 + at + LANES), sum21);
      sum30 = value.fma(load(panels, panel3 + at), sum30);
      sum31 = value.fma(load(panels, panel3 + at + LANES), sum31);
    }
    sum00.intoArray(into, start);
    sum01.intoArray(into, start + LANES);
    sum10.intoArray(into, start + 2 * LANES);
    sum11.intoArray(into, start + 3 * LANES);
    sum20.intoArray(into, start + 4 * LANES);
    sum21.intoArray(into, start + 5 * LANES);
    sum30.intoArray(into, start + 6 * LANES);
    sum31.intoArray(into, start + 7 * LANES);
  }

  /** Writes the sums of one panel, two vectors wide. */
  static void panel(
      float[] a,
      int row,
      int aStep,
      float[] panels,
      int panel,
      int depth,
      float[] into,
      int start) {
    FloatVector sum00 = FloatVector.zero(SPECIES);
    FloatVector sum01 = FloatVector.zero(SPECIES);
    for (int k = 0; k < depth; k++) {
      int at = k * 2 * LANES;
      FloatVector value = FloatVector.broadcast(SPECIES, a[row + k * aStep]);
      sum00 = value.fma(load(panels, panel + at), sum00);
      sum01 = value.fma(load(panels, panel + at + LANES), sum01);
    }
    sum00.intoArray(into, start);
    sum01.intoArray(into, start + LANES);
  }

  /** Writes the sums of one panel, one vector wide. */
  static void vector(
      float[] a,
      int row,
      int aStep,
      float[] panels,
      int panel,
      int depth,
      float[] into,
      int start) {
    FloatVector sum = FloatVector.zero(SPECIES);
    for (int k = 0; k < depth; k++) {
      FloatVector value = FloatVector.broadcast(SPECIES, a[row + k * aStep]);
      sum = value.fma(load(panels, panel + k * LANES), sum);
    }
    sum.intoArray(into, start);
  }
}
