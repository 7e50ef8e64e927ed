package dev.braid.learner.sparse;

import dev.braid.learner.vectors.VectorClass;
import dev.braid.learner.vectors.VectorWarmUp;
import java.util.Optional;

/**
 * The fastest way to compute sparse products that this process has.
 *
 * <p>Vectors go over all of a product once for each group of columns, and loops seldom more than
 * once: where rows have few values in a group, as in the gradient of many thousands of words, that
 * takes loops a quarter of the time. On a processor with AVX-512 both take as long at 4 values.
 */
public final class SparseProducts {

  /** About as many as vectors take in one go. */
  private static final int GROUP_COLUMNS = 64;

  /** Of a row in a group, in the mean. */
  private static final int LEAST_VALUES = 4;

  private static final String IN_VECTORS = "dev.braid.learner.sparse.vector.VectorProduct";

  /** With shorter vectors, of AVX2 or of Arm, the JIT compiler's loops are as fast. */
  private static final int LEAST_LANES = 16;

  /** Begun when it is first asked for. */
  private static final class OfProcess {
    static final VectorWarmUp<SparseVectors> VECTORS =
        new VectorWarmUp<>(
            "Products with sparse samples",
            SparseVectors.class,
            IN_VECTORS,
            LEAST_LANES,
            SparseTrial::new);
  }

  private SparseProducts() {}

  /** Loads the class with products in vectors, where it can be. */
  static VectorClass<SparseVectors> vectorClass() throws ReflectiveOperationException {
    return VectorClass.load(SparseVectors.class, IN_VECTORS);
  }

  /** Whether a matrix has so many values that vectors are faster, where there are any. */
  static boolean isForVectors(SparseMatrix sparse) {
    long groups = Math.max(1, sparse.columns() / GROUP_COLUMNS);
    return sparse.size() >= LEAST_VALUES * groups * sparse.rows();
  }

  /**
   * Has a process begin to find out whether vectors are faster, beside what it does. Else its first
   * product does.
   */
  public static void warmUp() {
    OfProcess.VECTORS.ready();
  }

  /** For dense matrices whose rows have so many elements. */
  public static SparseProduct of(int width) {
    return new Faster(width);
  }

  /** Sums of rows in vectors, once they are faster than {@link WeightedRows}. */
  static Optional<RowSum> rowSum() {
    return OfProcess.VECTORS.ready().map(VectorClass::create);
  }

  /** Loops, and vectors from when they are ready on: at any time, as the bits are the same. */
  private static final class Faster implements SparseProduct {
    private final int width;
    private final SparseProduct loops;
    private Optional<SparseProduct> vectors = Optional.empty();

    Faster(int width) {
      this.width = width;
      this.loops = new LoopProduct(width);
    }

    @Override
    public void compute(SparseMatrix sparse, DenseRows dense, float[] into, int start) {
      if (vectors.isEmpty()) {
        vectors =
            OfProcess.VECTORS.ready().filter(it -> width >= it.lanes()).map(VectorClass::create);
      }
      SparseProduct fastest = isForVectors(sparse) ? vectors.orElse(loops) : loops;
      fastest.compute(sparse, dense, into, start);
    }
  }
}
