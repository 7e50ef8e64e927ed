package dev.braid.learner.sparse;

import dev.braid.learner.vectors.VectorClass;
import dev.braid.learner.vectors.VectorTrial;
import java.util.Arrays;
import java.util.SplittableRandom;

/** A small product, as for a batch of images, computed with vectors and with loops. */
final class SparseTrial implements VectorTrial {

  private static final int ROWS = 50;
  private static final int COLUMNS = 100;

  /** Number of values in each row. */
  private static final int VALUES = COLUMNS / 5;

  private static final int TURNS = 30;

  private final SparseMatrix sparse = sparse();
  private final DenseRows dense;
  private final SparseProduct vectors;
  private final SparseProduct loops;
  private final float[] ofVectors;
  private final float[] ofLoops;

  /**
   * Creates a trial whose rows consist of several blocks of eight vectors and an incomplete vector.
   */
  SparseTrial(VectorClass<SparseVectors> vectors) {
    int width = 33 * vectors.lanes() - 1;
    float[] elements = new float[COLUMNS * width];
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < elements.length; i++) {
      elements[i] = (float) random.nextDouble(-1, 1);
    }
    this.dense = new DenseRows(elements, 0, width);
    this.vectors = vectors.create();
    this.loops = new LoopProduct(width);
    this.ofVectors = new float[ROWS * width];
    this.ofLoops = new float[ROWS * width];
  }

  /** Returns a matrix in which successive rows have their values in different columns. */
  private static SparseMatrix sparse() {
    SplittableRandom random = new SplittableRandom(1);
    int[] columnOf = new int[ROWS * VALUES];
    float[] values = new float[columnOf.length];
    for (int i = 0; i < columnOf.length; i++) {
      int row = i / VALUES;
      columnOf[i] = i % VALUES * (COLUMNS / VALUES) + row % (COLUMNS / VALUES);
      values[i] = (float) random.nextDouble();
    }
    int[] rowStarts = new int[ROWS + 1];
    Arrays.setAll(rowStarts, row -> row * VALUES);
    int[] columnStarts = new int[COLUMNS + 1];
    Arrays.setAll(columnStarts, column -> column * (columnOf.length / COLUMNS));
    return new SparseMatrix(ROWS, COLUMNS, rowStarts, 0, columnStarts, 0, columnOf, values);
  }

  /** Returns the shortest time of the vectors divided by the shortest time of the loops. */
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

  private long nanos(SparseProduct product, float[] into) {
    long begin = System.nanoTime();
    product.compute(sparse, dense, into, 0);
    return System.nanoTime() - begin;
  }

  @Override
  public boolean hasSameBits() {
    return Arrays.equals(ofVectors, ofLoops);
  }
}
