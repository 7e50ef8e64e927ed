package dev.braid.learner.matrix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Small products with fixed matrices of each kind of width, computed with vectors and with loops,
 * to compare them.
 */
final class MatrixTrial {

  /** Widths of the matrices in vectors, one for each kind of panel. */
  private static final int[] WIDTHS = {1, 2, 9};

  /** Numbers of rows: a single row, and a number that is no multiple of a tile's. */
  private static final int[] ROWS = {1, 25};

  private static final int DEPTH = 501;
  private static final int TURNS = 8;

  /** A product, with its results by vectors and by loops. */
  private static final class Product {
    final Matrix a;
    final Matrix b;
    final Matrix ofVectors;
    final Matrix ofLoops;
    final MatrixMultiplier vectors;

    Product(Matrix a, Matrix b, MatrixMultiplier vectors) {
      this.a = a;
      this.b = b;
      this.vectors = vectors;
      this.ofVectors = random(a.rows(), b.columns(), 1);
      this.ofLoops = random(a.rows(), b.columns(), 1);
    }
  }

  private final List<Product> products = new ArrayList<>();
  private final MatrixMultiplier loops = new LoopMultiplier();

  MatrixTrial(VectorClass vectors) {
    for (int width : WIDTHS) {
      Matrix b = random(DEPTH, width * vectors.lanes() - 3, width);
      for (int rows : ROWS) {
        products.add(new Product(random(rows, DEPTH, rows), b, vectors.create()));
        Matrix byColumn = random(DEPTH, rows, rows).transposed();
        products.add(new Product(byColumn, b, vectors.create()));
      }
    }
  }

  static Matrix random(int rows, int columns, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] values = new float[rows * columns];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextDouble(-1, 1);
    }
    return Matrix.byRow(values, 0, rows, columns);
  }

  /**
   * Computes the products both ways, and returns the ratio of the vectors' time to the loops' time.
   */
  double run() {
    long inVectors = 0;
    long inLoops = 0;
    for (Product product : products) {
      long ofVectors = Long.MAX_VALUE;
      long ofLoops = Long.MAX_VALUE;
      for (int turn = 0; turn < TURNS; turn++) {
        ofVectors = Math.min(ofVectors, nanos(product.vectors, product, product.ofVectors));
        ofLoops = Math.min(ofLoops, nanos(loops, product, product.ofLoops));
      }
      inVectors += ofVectors;
      inLoops += ofLoops;
    }
    return (double) inVectors / inLoops;
  }

  private static long nanos(MatrixMultiplier multiplier, Product product, Matrix c) {
    long begin = System.nanoTime();
    multiplier.multiply(product.a, product.b, c);
    multiplier.multiply(product.a, product.b, c, true);
    return System.nanoTime() - begin;
  }

  /** Returns whether vectors and loops computed the same bits in every run. */
  boolean hasSameBits() {
    return products.stream()
        .allMatch(it -> Arrays.equals(it.ofVectors.values(), it.ofLoops.values()));
  }
}
