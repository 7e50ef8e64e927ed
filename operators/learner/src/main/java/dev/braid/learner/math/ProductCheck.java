package dev.braid.learner.math;

import org.bytedeco.javacpp.FloatPointer;

/**
 * A check of matrix products against sums in {@code double}, with shapes that leave edges to the
 * tiles of any kernel. Some kernels have been wrong on processors newer than the kernels.
 */
final class ProductCheck {

  /** Rows, columns and depth of the products that are checked. */
  private static final int[][] SHAPES = {
    {1, 1, 1}, {7, 13, 29}, {16, 64, 17}, {33, 31, 100}, {77, 77, 77}, {100, 10, 512}, {97, 65, 129}
  };

  private ProductCheck() {}

  /** Computes matrix products. */
  @FunctionalInterface
  interface Kernels {
    /** Computes C. */
    void compute(MatrixProduct product, FloatPointer a, FloatPointer b, FloatPointer c);
  }

  /** Returns whether the products of this process's library are right. */
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
