package dev.braid.learner.math;

import static org.bytedeco.openblas.global.openblas_nolapack.CblasColMajor;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasNoTrans;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasTrans;

import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.openblas.global.openblas_nolapack;

/**
 * Whether matrix products are right, of shapes that leave edges to the tiles of any kernel: next to
 * sums in {@code double}. There have been kernels that were not, on processors younger than they.
 */
final class ProductCheck {

  /** Rows, columns, and how long the sums are. */
  private static final int[][] SHAPES = {
    {1, 1, 1}, {7, 13, 29}, {16, 64, 17}, {33, 31, 100}, {77, 77, 77}, {100, 10, 512}, {97, 65, 129}
  };

  /** Of the sum of the terms' sizes. */
  private static final double ROUNDING = 1e-5;

  private ProductCheck() {}

  /** A product of BLAS, of matrices that lie column by column. */
  @FunctionalInterface
  interface Product {
    /** Writes {@code C = A B}, where each of A and B lies as it is or transposed. */
    void compute(
        int rows,
        int columns,
        int depth,
        boolean aTransposed,
        boolean bTransposed,
        FloatPointer a,
        FloatPointer b,
        FloatPointer c);
  }

  /** Checks those of this process's library. */
  static boolean isRight() {
    NativeMath.useOneThread();
    return isRight(ProductCheck::openBlas);
  }

  static boolean isRight(Product product) {
    for (int[] shape : SHAPES) {
      for (int form = 0; form < 4; form++) {
        if (!isRight(product, shape[0], shape[1], shape[2], form % 2 == 1, form / 2 == 1)) {
          return false;
        }
      }
    }
    return true;
  }

  private static void openBlas(
      int rows,
      int columns,
      int depth,
      boolean aTransposed,
      boolean bTransposed,
      FloatPointer a,
      FloatPointer b,
      FloatPointer c) {
    openblas_nolapack.cblas_sgemm(
        CblasColMajor,
        aTransposed ? CblasTrans : CblasNoTrans,
        bTransposed ? CblasTrans : CblasNoTrans,
        rows,
        columns,
        depth,
        1,
        a,
        aTransposed ? depth : rows,
        b,
        bTransposed ? columns : depth,
        0,
        c,
        rows);
  }

  private static boolean isRight(
      Product product, int rows, int columns, int depth, boolean aTransposed, boolean bTransposed) {
    float[] a = NativeMath.values(rows * depth, 7919);
    float[] b = NativeMath.values(columns * depth, 6007);
    float[] c = new float[rows * columns];
    try (FloatPointer nativeA = new FloatPointer(a);
        FloatPointer nativeB = new FloatPointer(b);
        FloatPointer nativeC = new FloatPointer(c)) {
      product.compute(rows, columns, depth, aTransposed, bTransposed, nativeA, nativeB, nativeC);
      nativeC.get(c);
    }
    for (int column = 0; column < columns; column++) {
      for (int row = 0; row < rows; row++) {
        double sum = 0;
        double sizes = 0;
        for (int k = 0; k < depth; k++) {
          double term =
              (double) a[aTransposed ? row * depth + k : k * rows + row]
                  * b[bTransposed ? k * columns + column : column * depth + k];
          sum += term;
          sizes += Math.abs(term);
        }
        // Not a number is not within.
        if (!(Math.abs(c[column * rows + row] - sum) <= ROUNDING * sizes)) {
          return false;
        }
      }
    }
    return true;
  }
}
