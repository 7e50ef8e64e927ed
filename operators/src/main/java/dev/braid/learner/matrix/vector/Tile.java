package dev.braid.learner.matrix.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * A small part of a product, whose sums are all in registers while they are added up.
 *
 * <p>Each has a shape that leaves registers for what is multiplied. Of more sums than 20, C2 makes
 * objects, and takes ten times as long.
 */
enum Tile {
  /** With 32 registers: 20 sums, of five rows of four vectors each. */
  FIVE_BY_FOUR(5, 4) {
    @Override
    void compute(
        float[] a,
        int[] aRows,
        int aStep,
        float[] panels,
        int panel,
        int depth,
        float[] from,
        int[] fromRows,
        float[] into,
        int[] intoRows) {
      fiveByFour(a, aRows, aStep, panels, panel, depth, from, fromRows, into, intoRows);
    }
  },

  /** With 16 registers: 12 sums, of four rows of three vectors each. */
  FOUR_BY_THREE(4, 3) {
    @Override
    void compute(
        float[] a,
        int[] aRows,
        int aStep,
        float[] panels,
        int panel,
        int depth,
        float[] from,
        int[] fromRows,
        float[] into,
        int[] intoRows) {
      fourByThree(a, aRows, aStep, panels, panel, depth, from, fromRows, into, intoRows);
    }
  },

  /** Where fewer columns are left: 12 sums, of six rows of two vectors each. */
  SIX_BY_TWO(6, 2) {
    @Override
    void compute(
        float[] a,
        int[] aRows,
        int aStep,
        float[] panels,
        int panel,
        int depth,
        float[] from,
        int[] fromRows,
        float[] into,
        int[] intoRows) {
      sixByTwo(a, aRows, aStep, panels, panel, depth, from, fromRows, into, intoRows);
    }
  };

  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;

  static final int LANES = SPECIES.length();

  static final int MOST_ROWS = 6;
  static final int MOST_COLUMNS = 4 * LANES;

  /** From which vectors on a processor has 32 registers of them. */
  private static final int LANES_OF_MANY_REGISTERS = 16;

  private final int rows;
  private final int vectors;

  Tile(int rows, int vectors) {
    this.rows = rows;
    this.vectors = vectors;
  }

  /** That which is best where so many columns are left. */
  static Tile of(int columns) {
    if (columns <= 2 * LANES) {
      return SIX_BY_TWO;
    }
    return LANES >= LANES_OF_MANY_REGISTERS ? FIVE_BY_FOUR : FOUR_BY_THREE;
  }

  int rows() {
    return rows;
  }

  int columns() {
    return vectors * LANES;
  }

  /**
   * Adds up.
   *
   * @param aRows where each row of the first matrix begins
   * @param aStep from one number of such a row to the next
   * @param panels rows of the second matrix, as wide as this tile
   * @param panel where they begin
   * @param depth how many
   * @param from what is added to the sums in the end
   * @param fromRows where there each row begins
   * @param into where they go
   */
  abstract void compute(
      float[] a,
      int[] aRows,
      int aStep,
      float[] panels,
      int panel,
      int depth,
      float[] from,
      int[] fromRows,
      float[] into,
      int[] intoRows);

  private static void fiveByFour(
      float[] a,
      int[] aRows,
      int aStep,
      float[] panels,
      int panel,
      int depth,
      float[] from,
      int[] fromRows,
      float[] into,
      int[] intoRows) {
    int row0 = aRows[0];
    int row1 = aRows[1];
    int row2 = aRows[2];
    int row3 = aRows[3];
    int row4 = aRows[4];
    FloatVector sum00 = FloatVector.zero(SPECIES);
    FloatVector sum01 = FloatVector.zero(SPECIES);
    FloatVector sum02 = FloatVector.zero(SPECIES);
    FloatVector sum03 = FloatVector.zero(SPECIES);
    FloatVector sum10 = FloatVector.zero(SPECIES);
    FloatVector sum11 = FloatVector.zero(SPECIES);
    FloatVector sum12 = FloatVector.zero(SPECIES);
    FloatVector sum13 = FloatVector.zero(SPECIES);
    FloatVector sum20 = FloatVector.zero(SPECIES);
    FloatVector sum21 = FloatVector.zero(SPECIES);
    FloatVector sum22 = FloatVector.zero(SPECIES);
    FloatVector sum23 = FloatVector.zero(SPECIES);
    FloatVector sum30 = FloatVector.zero(SPECIES);
    FloatVector sum31 = FloatVector.zero(SPECIES);
    FloatVector sum32 = FloatVector.zero(SPECIES);
    FloatVector sum33 = FloatVector.zero(SPECIES);
    FloatVector sum40 = FloatVector.zero(SPECIES);
    FloatVector sum41 = FloatVector.zero(SPECIES);
    FloatVector sum42 = FloatVector.zero(SPECIES);
    FloatVector sum43 = FloatVector.zero(SPECIES);
    for (int k = 0; k < depth; k++) {
      int at = panel + k * 4 * LANES;
      int step = k * aStep;
      FloatVector b0 = vector(panels, at);
      FloatVector b1 = vector(panels, at + LANES);
      FloatVector b2 = vector(panels, at + 2 * LANES);
      FloatVector b3 = vector(panels, at + 3 * LANES);
      FloatVector value = FloatVector.broadcast(SPECIES, a[row0 + step]);
      sum00 = value.fma(b0, sum00);
      sum01 = value.fma(b1, sum01);
      sum02 = value.fma(b2, sum02);
      sum03 = value.fma(b3, sum03);
      value = FloatVector.broadcast(SPECIES, a[row1 + step]);
      sum10 = value.fma(b0, sum10);
      sum11 = value.fma(b1, sum11);
      sum12 = value.fma(b2, sum12);
      sum13 = value.fma(b3, sum13);
      value = FloatVector.broadcast(SPECIES, a[row2 + step]);
      sum20 = value.fma(b0, sum20);
      sum21 = value.fma(b1, sum21);
      sum22 = value.fma(b2, sum22);
      sum23 = value.fma(b3, sum23);
      value = FloatVector.broadcast(SPECIES, a[row3 + step]);
      sum30 = value.fma(b0, sum30);
      sum31 = value.fma(b1, sum31);
      sum32 = value.fma(b2, sum32);
      sum33 = value.fma(b3, sum33);
      value = FloatVector.broadcast(SPECIES, a[row4 + step]);
      sum40 = value.fma(b0, sum40);
      sum41 = value.fma(b1, sum41);
      sum42 = value.fma(b2, sum42);
      sum43 = value.fma(b3, sum43);
    }
    sum00.add(vector(from, fromRows[0])).intoArray(into, intoRows[0]);
    sum01.add(vector(from, fromRows[0] + LANES)).intoArray(into, intoRows[0] + LANES);
    sum02.add(vector(from, fromRows[0] + 2 * LANES)).intoArray(into, intoRows[0] + 2 * LANES);
    sum03.add(vector(from, fromRows[0] + 3 * LANES)).intoArray(into, intoRows[0] + 3 * LANES);
    sum10.add(vector(from, fromRows[1])).intoArray(into, intoRows[1]);
    sum11.add(vector(from, fromRows[1] + LANES)).intoArray(into, intoRows[1] + LANES);
    sum12.add(vector(from, fromRows[1] + 2 * LANES)).intoArray(into, intoRows[1] + 2 * LANES);
    sum13.add(vector(from, fromRows[1] + 3 * LANES)).intoArray(into, intoRows[1] + 3 * LANES);
    sum20.add(vector(from, fromRows[2])).intoArray(into, intoRows[2]);
    sum21.add(vector(from, fromRows[2] + LANES)).intoArray(into, intoRows[2] + LANES);
    sum22.add(vector(from, fromRows[2] + 2 * LANES)).intoArray(into, intoRows[2] + 2 * LANES);
    sum23.add(vector(from, fromRows[2] + 3 * LANES)).intoArray(into, intoRows[2] + 3 * LANES);
    sum30.add(vector(from, fromRows[3])).intoArray(into, intoRows[3]);
    sum31.add(vector(from, fromRows[3] + LANES)).intoArray(into, intoRows[3] + LANES);
    sum32.add(vector(from, fromRows[3] + 2 * LANES)).intoArray(into, intoRows[3] + 2 * LANES);
    sum33.add(vector(from, fromRows[3] + 3 * LANES)).intoArray(into, intoRows[3] + 3 * LANES);
    sum40.add(vector(from, fromRows[4])).intoArray(into, intoRows[4]);
    sum41.add(vector(from, fromRows[4] + LANES)).intoArray(into, intoRows[4] + LANES);
    sum42.add(vector(from, fromRows[4] + 2 * LANES)).intoArray(into, intoRows[4] + 2 * LANES);
    sum43.add(vector(from, fromRows[4] + 3 * LANES)).intoArray(into, intoRows[4] + 3 * LANES);
  }

  private static void fourByThree(
      float[] a,
      int[] aRows,
      int aStep,
      float[] panels,
      int panel,
      int depth,
      float[] from,
      int[] fromRows,
      float[] into,
      int[] intoRows) {
    int row0 = aRows[0];
    int row1 = aRows[1];
    int row2 = aRows[2];
    int row3 = aRows[3];
    FloatVector sum00 = FloatVector.zero(SPECIES);
    FloatVector sum01 = FloatVector.zero(SPECIES);
    FloatVector sum02 = FloatVector.zero(SPECIES);
    FloatVector sum10 = FloatVector.zero(SPECIES);
    FloatVector sum11 = FloatVector.zero(SPECIES);
    FloatVector sum12 = FloatVector.zero(SPECIES);
    FloatVector sum20 = FloatVector.zero(SPECIES);
    FloatVector sum21 = FloatVector.zero(SPECIES);
    FloatVector sum22 = FloatVector.zero(SPECIES);
    FloatVector sum30 = FloatVector.zero(SPECIES);
    FloatVector sum31 = FloatVector.zero(SPECIES);
    FloatVector sum32 = FloatVector.zero(SPECIES);
    for (int k = 0; k < depth; k++) {
      int at = panel + k * 3 * LANES;
      int step = k * aStep;
      FloatVector b0 = vector(panels, at);
      FloatVector b1 = vector(panels, at + LANES);
      FloatVector b2 = vector(panels, at + 2 * LANES);
      FloatVector value = FloatVector.broadcast(SPECIES, a[row0 + step]);
      sum00 = value.fma(b0, sum00);
      sum01 = value.fma(b1, sum01);
      sum02 = value.fma(b2, sum02);
      value = FloatVector.broadcast(SPECIES, a[row1 + step]);
      sum10 = value.fma(b0, sum10);
      sum11 = value.fma(b1, sum11);
      sum12 = value.fma(b2, sum12);
      value = FloatVector.broadcast(SPECIES, a[row2 + step]);
      sum20 = value.fma(b0, sum20);
      sum21 = value.fma(b1, sum21);
      sum22 = value.fma(b2, sum22);
      value = FloatVector.broadcast(SPECIES, a[row3 + step]);
      sum30 = value.fma(b0, sum30);
      sum31 = value.fma(b1, sum31);
      sum32 = value.fma(b2, sum32);
    }
    sum00.add(vector(from, fromRows[0])).intoArray(into, intoRows[0]);
    sum01.add(vector(from, fromRows[0] + LANES)).intoArray(into, intoRows[0] + LANES);
    sum02.add(vector(from, fromRows[0] + 2 * LANES)).intoArray(into, intoRows[0] + 2 * LANES);
    sum10.add(vector(from, fromRows[1])).intoArray(into, intoRows[1]);
    sum11.add(vector(from, fromRows[1] + LANES)).intoArray(into, intoRows[1] + LANES);
    sum12.add(vector(from, fromRows[1] + 2 * LANES)).intoArray(into, intoRows[1] + 2 * LANES);
    sum20.add(vector(from, fromRows[2])).intoArray(into, intoRows[2]);
    sum21.add(vector(from, fromRows[2] + LANES)).intoArray(into, intoRows[2] + LANES);
    sum22.add(vector(from, fromRows[2] + 2 * LANES)).intoArray(into, intoRows[2] + 2 * LANES);
    sum30.add(vector(from, fromRows[3])).intoArray(into, intoRows[3]);
    sum31.add(vector(from, fromRows[3] + LANES)).intoArray(into, intoRows[3] + LANES);
    sum32.add(vector(from, fromRows[3] + 2 * LANES)).intoArray(into, intoRows[3] + 2 * LANES);
  }

  private static void sixByTwo(
      float[] a,
      int[] aRows,
      int aStep,
      float[] panels,
      int panel,
      int depth,
      float[] from,
      int[] fromRows,
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
      FloatVector b0 = vector(panels, at);
      FloatVector b1 = vector(panels, at + LANES);
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
    sum00.add(vector(from, fromRows[0])).intoArray(into, intoRows[0]);
    sum01.add(vector(from, fromRows[0] + LANES)).intoArray(into, intoRows[0] + LANES);
    sum10.add(vector(from, fromRows[1])).intoArray(into, intoRows[1]);
    sum11.add(vector(from, fromRows[1] + LANES)).intoArray(into, intoRows[1] + LANES);
    sum20.add(vector(from, fromRows[2])).intoArray(into, intoRows[2]);
    sum21.add(vector(from, fromRows[2] + LANES)).intoArray(into, intoRows[2] + LANES);
    sum30.add(vector(from, fromRows[3])).intoArray(into, intoRows[3]);
    sum31.add(vector(from, fromRows[3] + LANES)).intoArray(into, intoRows[3] + LANES);
    sum40.add(vector(from, fromRows[4])).intoArray(into, intoRows[4]);
    sum41.add(vector(from, fromRows[4] + LANES)).intoArray(into, intoRows[4] + LANES);
    sum50.add(vector(from, fromRows[5])).intoArray(into, intoRows[5]);
    sum51.add(vector(from, fromRows[5] + LANES)).intoArray(into, intoRows[5] + LANES);
  }

  /** Copies some vectors. */
  static void copy(float[] from, int fromStart, float[] to, int toStart, int length) {
    for (int i = 0; i < length; i += LANES) {
      vector(from, fromStart + i).intoArray(to, toStart + i);
    }
  }

  private static FloatVector vector(float[] array, int at) {
    return FloatVector.fromArray(SPECIES, array, at);
  }
}
