package dev.braid.learner.math;

import static org.bytedeco.openblas.global.openblas_nolapack.CblasColMajor;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasNoTrans;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasTrans;

import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.openblas.global.openblas_nolapack;

/**
 * The shape of a matrix product {@code C = A B} of column-major matrices.
 *
 * @param rows rows of A and C
 * @param columns columns of B and C
 * @param depth number of terms of each sum: columns of A, rows of B
 * @param aTransposed whether A is stored transposed
 * @param bTransposed whether B is stored transposed
 */
public record MatrixProduct(
    int rows, int columns, int depth, boolean aTransposed, boolean bTransposed) {

  /**
   * A bound on {@link #error} that rounding to float does not exceed for sums of several hundred
   * terms.
   */
  public static final double ROUNDING = 1e-5;

  /** Computes C with this process's OpenBLAS kernels. {@link NativeMath} must be loaded. */
  public void compute(FloatPointer a, FloatPointer b, FloatPointer c) {
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

  /**
   * Returns the error of C in comparison with sums in {@code double}: the largest difference of an
   * element, relative to the sum of its terms' absolute values; infinite if an element is NaN.
   */
  public double error(float[] a, float[] b, float[] c) {
    double worst = 0;
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
        // If all terms are 0, the element must be 0, too.
        double error = Math.abs(c[column * rows + row] - sum) / Math.max(sizes, Double.MIN_NORMAL);
        worst = Double.isNaN(error) ? Double.POSITIVE_INFINITY : Math.max(worst, error);
      }
    }
    return worst;
  }
}
