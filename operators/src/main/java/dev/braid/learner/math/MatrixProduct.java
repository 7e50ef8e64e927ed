package dev.braid.learner.math;

import static org.bytedeco.openblas.global.openblas_nolapack.CblasColMajor;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasNoTrans;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasTrans;

import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.openblas.global.openblas_nolapack;

/**
 * The shape of a matrix product {@code C = A B}, of matrices that lie column by column.
 *
 * @param rows of A and C
 * @param columns of B and C
 * @param depth how long the sums are: columns of A, rows of B
 * @param aTransposed whether A lies transposed
 * @param bTransposed whether B does
 */
public record MatrixProduct(
    int rows, int columns, int depth, boolean aTransposed, boolean bTransposed) {

  /** An {@link #error} that rounding to float does not make of sums of some hundreds of terms. */
  public static final double ROUNDING = 1e-5;

  /** Computes C with this process's kernels of OpenBLAS, once {@link NativeMath} is loaded. */
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
   * How far C is from sums in {@code double}: the largest distance of an element, as a share of the
   * sum of its terms' sizes; infinite if one is no number.
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
        // Where all terms are 0, so must the element be.
        double error = Math.abs(c[column * rows + row] - sum) / Math.max(sizes, Double.MIN_NORMAL);
        worst = Double.isNaN(error) ? Double.POSITIVE_INFINITY : Math.max(worst, error);
      }
    }
    return worst;
  }
}
