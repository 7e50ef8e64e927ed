package dev.braid.learner.math;

import org.bytedeco.javacpp.FloatPointer;

/**
 * Whether matrix products are right, of shapes that leave edges to the tiles of any kernel: next to
 * sums in {@code double}. There have been kernels that were not, on processors younger than they.
 */
final class ProductCheck {

  /** Rows, columns, and how long the sums are. */
  private static final int[][] SHAPES = {
    {1, 1, 1}, {7, 13, 29}, {16, 64, 17}, {33, 31, 100}, {77, 77, 77}, {100, 10, 512}, {97, 65, 129}
  };

  private ProductCheck() {}

  /** What computes products. */
  @FunctionalInterface
  interface Kernels {
    /** Writes C. */
    void compute(MatrixProduct product, FloatPointer a, FloatPointer b, FloatPointer c);
  }

  /** Checks those of this process's library. */
  static boolean isRight() {
    NativeMath.useOneThread();
    return isRight(MatrixProduct::compute);
  }

  static boolean isRight(Kernels kernels) {
    for (int[] shape : SHAPES) {
      for (int form = 0; form < 4; form++) {
        MatrixProduct product =
            new MatrixProduct(shape[0], shape[1], shape[2], form % 2 == 1, form / 2 == 1);
        if (!(error(kernels, product) <= MatrixProduct.ROUNDING)) {
          return false;
        }
      }
    }
    return true;
  }

  private static double error(Kernels kernels, MatrixProduct product) {
    float[] a = NativeMath.values(product.rows() * product.depth(), 7919);
    float[] b = NativeMath.values(product.columns() * product.depth(), 6007);
    float[] c = new float[product.rows() * product.columns()];
    try (FloatPointer nativeA = new FloatPointer(a);
        FloatPointer nativeB = new FloatPointer(b);
        FloatPointer nativeC = new FloatPointer(c)) {
      kernels.compute(product, nativeA, nativeB, nativeC);
      nativeC.get(c);
    }
    return product.error(a, b, c);
  }
}
