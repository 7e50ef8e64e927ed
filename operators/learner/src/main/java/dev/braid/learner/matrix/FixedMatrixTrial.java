package dev.braid.learner.matrix;

import dev.braid.learner.vectors.VectorClass;
import dev.braid.learner.vectors.VectorTrial;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Small products with fixed matrices of each kind of width, computed with vectors and with loops.
 */
final class FixedMatrixTrial implements VectorTrial {

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
      this.ofVectors = MatrixTrial.random(a.rows(), b.columns(), 1);
      this.ofLoops = MatrixTrial.random(a.rows(), b.columns(), 1);
    }
  }

  private final List<Product> products = new ArrayList<>();
  private final MatrixMultiplier loops = new LoopMultiplier(MatrixMultiplier.FIXED_BLOCK_DEPTH);

  FixedMatrixTrial(VectorClass<MatrixMultiplier> vectors) {
    for (int width : WIDTHS) {
      Matrix b = MatrixTrial.random(DEPTH, width * vectors.lanes() - 3, width);
      for (int rows : ROWS) {
        products.add(new Product(MatrixTrial.random(rows, DEPTH, rows), b, vectors.create()));
        Matrix byColumn = MatrixTrial.random(DEPTH, rows, rows).transposed();
        products.add(new Product(byColumn, b, vectors.create()));
      }
    }
  }

  @Override
  public double run() {
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

  @Override
  public boolean hasSameBits() {
    return products.stream()
        .allMatch(it -> Arrays.equals(it.ofVectors.values(), it.ofLoops.values()));
  }
}
