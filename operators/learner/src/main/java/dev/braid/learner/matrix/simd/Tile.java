package dev.braid.learner.matrix.simd;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * A small part of a product, whose sums all stay in registers while they are computed.
 *
 * <p>Each shape leaves registers for the operands. With more than 20 sums C2 allocates objects, and
 * the code takes ten times as long; the same happens if some sums belong to one branch and some to
 * another. All previous sums are read before any sum is written, because a read waits for writes at
 * a distance of a multiple of 4 KiB, which the rows of a matrix may have.
 */
enum Tile {
  /** For 32 registers: 20 sums, in five rows of four vectors each. */
  FIVE_BY_FOUR(5, 4) {
    @Override
    void compute(
        float[] a,
        int[] aRows,
        int aStep,
        float[] panels,
        int panel,
        int depth,
        float[] into,
        int[] intoRows,
        boolean adds) {
      fiveByFour(a, aRows, aStep, panels, panel, depth, into, intoRows, adds);
    }
  },

  /** For 16 registers: 12 sums, in four rows of three vectors each. */
  FOUR_BY_THREE(4, 3) {
    @Override
    void compute(
        float[] a,
        int[] aRows,
        int aStep,
        float[] panels,
        int panel,
        int depth,
        float[] into,
        int[] intoRows,
        boolean adds) {
      fourByThree(a, aRows, aStep, panels, panel, depth, into, intoRows, adds);
    }
  },

  /** If fewer columns are left: 12 sums, in six rows of two vectors each. */
  SIX_BY_TWO(6, 2) {
    @Override
    void compute(
        float[] a,
        int[] aRows,
        int aStep,
        float[] panels,
        int panel,
        int depth,
        float[] into,
        int[] intoRows,
        boolean adds) {
      sixByTwo(a, aRows, aStep, panels, panel, depth, into, intoRows, adds);
    }
  };

  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;

  static final int LANES = SPECIES.length();

  static final int MOST_ROWS = 6;
  static final int MOST_COLUMNS = 4 * LANES;

  /** Smallest number of elements in a vector for which a processor has 32 vector registers. */
  private static final int LANES_OF_MANY_REGISTERS = 16;

  private final int rows;
  private final int vectors;

  Tile(int rows, int vectors) {
    this.rows = rows;
    this.vectors = vectors;
  }

  /** Returns the fastest tile if {@code columns} columns are left. */
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
   * Computes the sums.
   *
   * @param aRows start of each row in the first matrix
   * @param aStep distance between the elements of such a row
   * @param panels rows of the second matrix, as wide as this tile
   * @param panel start of these rows
   * @param depth number of these rows
   * @param into written with the sums
   * @param intoRows start of each row in {@code into}
   * @param adds whether the sums are added to the contents of {@code into}
   */
  abstract void compute(
      float[] a,
      int[] aRows,
      int aStep,
      float[] panels,
      int panel,
      int depth,
      float[] into,
      int[] intoRows,
      boolean adds);

  private static void fiveByFour(
      float[] a,
      int[] aRows,
      int aStep,
      float[] panels,
      int panel,
      int depth,
      float[] into,
      int[] intoRows,
      boolean adds) {
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
    if (adds) {
      sum00 = sum00.add(vector(into, intoRows[0]));
      sum01 = sum01.add(vector(into, intoRows[0] + LANES));
      sum02 = sum02.add(vector(into, intoRows[0] + 2 * LANES));
      sum03 = sum03.add(vector(into, intoRows[0] + 3 * LANES));
      sum10 = sum10.add(vector(into, intoRows[1]));
      sum11 = sum11.add(vector(into, intoRows[1] + LANES));
      sum12 = sum12.add(vector(into, intoRows[1] + 2 * LANES));
      sum13 = sum13.add(vector(into, intoRows[1] + 3 * LANES));
      sum20 = sum20.add(vector(into, intoRows[2]));
      sum21 = sum21.add(vector(into, intoRows[2] + LANES));
      sum22 = sum22.add(vector(into, intoRows[2] + 2 * LANES));
      sum23 = sum23.add(vector(into, intoRows[2] + 3 * LANES));
      sum30 = sum30.add(vector(into, intoRows[3]));
      sum31 = sum31.add(vector(into, intoRows[3] + LANES));
      sum32 = sum32.add(vector(into, intoRows[3] + 2 * LANES));
      sum33 = sum33.add(vector(into, intoRows[3] + 3 * LANES));
      sum40 = sum40.add(vector(into, intoRows[4]));
      sum41 = sum41.add(vector(into, intoRows[4] + LANES));
      sum42 = sum42.add(vector(into, intoRows[4] + 2 * LANES));
      sum43 = sum43.add(vector(into, intoRows[4] + 3 * LANES));
      sum00.intoArray(into, intoRows[0]);
      sum01.intoArray(into, intoRows[0] + LANES);
      sum02.intoArray(into, intoRows[0] + 2 * LANES);
      sum03.intoArray(into, intoRows[0] + 3 * LANES);
      sum10.intoArray(into, intoRows[1]);
      sum11.intoArray(into, intoRows[1] + LANES);
      sum12.intoArray(into, intoRows[1] + 2 * LANES);
      sum13.intoArray(into, intoRows[1] + 3 * LANES);
      sum20.intoArray(into, intoRows[2]);
      sum21.intoArray(into, intoRows[2] + LANES);
      sum22.intoArray(into, intoRows[2] + 2 * LANES);
      sum23.intoArray(into, intoRows[2] + 3 * LANES);
      sum30.intoArray(into, intoRows[3]);
      sum31.intoArray(into, intoRows[3] + LANES);
      sum32.intoArray(into, intoRows[3] + 2 * LANES);
      sum33.intoArray(into, intoRows[3] + 3 * LANES);
      sum40.intoArray(into, intoRows[4]);
      sum41.intoArray(into, intoRows[4] + LANES);
      sum42.intoArray(into, intoRows[4] + 2 * LANES);
      sum43.intoArray(into, intoRows[4] + 3 * LANES);
    } else {
      sum00.intoArray(into, intoRows[0]);
      sum01.intoArray(into, intoRows[0] + LANES);
      sum02.intoArray(into, intoRows[0] + 2 * LANES);
      sum03.intoArray(into, intoRows[0] + 3 * LANES);
      sum10.intoArray(into, intoRows[1]);
      sum11.intoArray(into, intoRows[1] + LANES);
      sum12.intoArray(into, intoRows[1] + 2 * LANES);
      sum13.intoArray(into, intoRows[1] + 3 * LANES);
      sum20.intoArray(into, intoRows[2]);
      sum21.intoArray(into, intoRows[2] + LANES);
      sum22.intoArray(into, intoRows[2] + 2 * LANES);
      sum23.intoArray(into, intoRows[2] + 3 * LANES);
      sum30.intoArray(into, intoRows[3]);
      sum31.intoArray(into, intoRows[3] + LANES);
      sum32.intoArray(into, intoRows[3] + 2 * LANES);
      sum33.intoArray(into, intoRows[3] + 3 * LANES);
      sum40.intoArray(into, intoRows[4]);
      sum41.intoArray(into, intoRows[4] + LANES);
      sum42.intoArray(into, intoRows[4] + 2 * LANES);
      sum43.intoArray(into, intoRows[4] + 3 * LANES);
    }
  }

  private static void fourByThree(
      float[] a,
      int[] aRows,
      int aStep,
      float[] panels,
      int panel,
      int depth,
      float[] into,
      int[] intoRows,
      boolean adds) {
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
    if (adds) {
      sum00 = sum00.add(vector(into, intoRows[0]));
      sum01 = sum01.add(vector(into, intoRows[0] + LANES));
      sum02 = sum02.add(vector(into, intoRows[0] + 2 * LANES));
      sum10 = sum10.add(vector(into, intoRows[1]));
      sum11 = sum11.add(vector(into, intoRows[1] + LANES));
      sum12 = sum12.add(vector(into, intoRows[1] + 2 * LANES));
      sum20 = sum20.add(vector(into, intoRows[2]));
      sum21 = sum21.add(vector(into, intoRows[2] + LANES));
      sum22 = sum22.add(vector(into, intoRows[2] + 2 * LANES));
      sum30 = sum30.add(vector(into, intoRows[3]));
      sum31 = sum31.add(vector(into, intoRows[3] + LANES));
      sum32 = sum32.add(vector(into, intoRows[3] + 2 * LANES));
      sum00.intoArray(into, intoRows[0]);
      sum01.intoArray(into, intoRows[0] + LANES);
      sum02.intoArray(into, intoRows[0] + 2 * LANES);
      sum10.intoArray(into, intoRows[1]);
      sum11.intoArray(into, intoRows[1] + LANES);
      sum12.intoArray(into, intoRows[1] + 2 * LANES);
      sum20.intoArray(into, intoRows[2]);
      sum21.intoArray(into, intoRows[2] + LANES);
      sum22.intoArray(into, intoRows[2] + 2 * LANES);
      sum30.intoArray(into, intoRows[3]);
      sum31.intoArray(into, intoRows[3] + LANES);
      sum32.intoArray(into, intoRows[3] + 2 * LANES);
    } else {
      sum00.intoArray(into, intoRows[0]);
      sum01.intoArray(into, intoRows[0] + LANES);
      sum02.intoArray(into, intoRows[0] + 2 * LANES);
      sum10.intoArray(into, intoRows[1]);
      sum11.intoArray(into, intoRows[1] + LANES);
      sum12.intoArray(into, intoRows[1] + 2 * LANES);
      sum20.intoArray(into, intoRows[2]);
      sum21.intoArray(into, intoRows[2] + LANES);
      sum22.intoArray(into, intoRows[2] + 2 * LANES);
      sum30.intoArray(into, intoRows[3]);
      sum31.intoArray(into, intoRows[3] + LANES);
      sum32.intoArray(into, intoRows[3] + 2 * LANES);
    }
  }

  private static void sixByTwo(
      float[] a,
      int[] aRows,
      int aStep,
      float[] panels,
      int panel,
      int depth,
      float[] into,
      int[] intoRows,
      boolean adds) {
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
    if (adds) {
      sum00 = sum00.add(vector(into, intoRows[0]));
      sum01 = sum01.add(vector(into, intoRows[0] + LANES));
      sum10 = sum10.add(vector(into, intoRows[1]));
      sum11 = sum11.add(vector(into, intoRows[1] + LANES));
      sum20 = sum20.add(vector(into, intoRows[2]));
      sum21 = sum21.add(vector(into, intoRows[2] + LANES));
      sum30 = sum30.add(vector(into, intoRows[3]));
      sum31 = sum31.add(vector(into, intoRows[3] + LANES));
      sum40 = sum40.add(vector(into, intoRows[4]));
      sum41 = sum41.add(vector(into, intoRows[4] + LANES));
      sum50 = sum50.add(vector(into, intoRows[5]));
      sum51 = sum51.add(vector(into, intoRows[5] + LANES));
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
    } else {
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

  /** Copies {@code length} elements, rounded up to whole vectors. */
  static void copy(float[] from, int fromStart, float[] to, int toStart, int length) {
    for (int i = 0; i < length; i += LANES) {
      vector(from, fromStart + i).intoArray(to, toStart + i);
    }
  }

  private static FloatVector vector(float[] array, int at) {
    return FloatVector.fromArray(SPECIES, array, at);
  }
}
