package dev.braid.learner.matrix;

import dev.braid.learner.vectors.VectorClass;
import dev.braid.learner.vectors.VectorTrial;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Small products with each storage order of a layer's matrices, computed with vectors and with
 * loops.
 */
final class MatrixTrial implements VectorTrial {

  /** Sizes that are no multiples of a tile's, with columns for each kind of tile. */
  private static final int ROWS = 11;

  private static final int COLUMNS = 75;

  /**
   * As long as the sums of a large product. On a processor with 16 registers, if C2 has seen a loop
   * end after a few dozen iterations, it may fail to keep all sums in registers, and the loop takes
   * twice as long.
   */
  private static final int DEPTH = 500;

  private static final int TURNS = 15;

  private final Matrix a = random(ROWS, DEPTH, 1);
  private final Matrix aByColumn = random(DEPTH, ROWS, 2).transposed();
  private final Matrix b = random(DEPTH, COLUMNS, 3);
  private final Matrix ofVectors = random(ROWS, COLUMNS, 4);
  private final Matrix ofLoops = random(ROWS, COLUMNS, 4);
  private final MatrixMultiplier vectors;
  private final MatrixMultiplier loops = new LoopMultiplier();

  MatrixTrial(VectorClass<MatrixMultiplier> vectors) {
    this.vectors = vectors.create();
  }

  static Matrix random(int rows, int columns, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] values = new float[rows * columns];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextDouble(-1, 1);
    }
    return Matrix.byRow(values, 0, rows, columns);
  }

  @Override
  public double run() {
    long inVectors = Long.MAX_VALUE;
    long inLoops = Long.MAX_VALUE;
    for (int turn = 0; turn < TURNS; turn++) {
      inVectors = Math.min(inVectors, nanos(vectors, ofVectors));
      inLoops = Math.min(inLoops, nanos(loops, ofLoops));
    }
    return (double) inVectors / inLoops;
  }

  private long nanos(MatrixMultiplier multiplier, Matrix c) {
    long begin = System.nanoTime();
    multiplier.multiply(a, b, c);
    multiplier.multiply(aByColumn, b, c, true);
    return System.nanoTime() - begin;
  }

  @Override
  public boolean hasSameBits() {
    return Arrays.equals(ofVectors.values(), ofLoops.values());
  }
}
