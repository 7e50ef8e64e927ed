package dev.braid.learner.matrix;

import static org.bytedeco.openblas.global.openblas_nolapack.CblasNoTrans;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasRowMajor;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasTrans;
import static org.bytedeco.openblas.global.openblas_nolapack.cblas_sgemm;

import org.bytedeco.javacpp.FloatPointer;

/** Products computed by OpenBLAS on copies in native memory. */
final class BlasMultiplier implements MatrixMultiplier {

  /** Whether the second matrix is the same in all calls, and is therefore copied once. */
  private final boolean isSecondFixed;

  private boolean hasSecond;
  private FloatPointer a = new FloatPointer(1);
  private FloatPointer b = new FloatPointer(1);
  private FloatPointer c = new FloatPointer(1);

  BlasMultiplier(boolean isSecondFixed) {
    this.isSecondFixed = isSecondFixed;
  }

  @Override
  public void multiply(Matrix first, Matrix second, Matrix product, boolean adds) {
    if (product.byColumn()) {
      multiply(second.transposed(), first.transposed(), product.transposed(), adds);
      return;
    }
    a = copied(first, a);
    if (!(isSecondFixed && hasSecond)) {
      b = copied(second, b);
      hasSecond = true;
    }
    c = adds ? copied(product, c) : withRoom(c, product.size());
    cblas_sgemm(
        CblasRowMajor,
        first.byColumn() ? CblasTrans : CblasNoTrans,
        second.byColumn() ? CblasTrans : CblasNoTrans,
        product.rows(),
        product.columns(),
        first.columns(),
        1,
        a,
        lineLength(first),
        b,
        lineLength(second),
        adds ? 1 : 0,
        c,
        product.columns());
    c.get(product.values(), product.start(), product.size());
  }

  private static int lineLength(Matrix matrix) {
    return matrix.byColumn() ? matrix.rows() : matrix.columns();
  }

  private static FloatPointer copied(Matrix matrix, FloatPointer into) {
    FloatPointer place = withRoom(into, matrix.size());
    place.put(matrix.values(), matrix.start(), matrix.size());
    return place;
  }

  private static FloatPointer withRoom(FloatPointer place, int length) {
    if (place.capacity() >= length) {
      return place;
    }
    place.close();
    return new FloatPointer(length);
  }

  @Override
  public void close() {
    a.close();
    b.close();
    c.close();
  }
}
