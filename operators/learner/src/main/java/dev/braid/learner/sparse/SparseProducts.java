package dev.braid.learner.sparse;

import dev.braid.learner.vectors.VectorClass;
import dev.braid.learner.vectors.VectorWarmUp;
import java.util.Optional;

/**
 * The fastest implementation of sparse products that this process has.
 *
 * <p>Vectors go through the whole product once for each group of columns, loops rarely more than
 * once. If rows have few values in a group, as in the gradient for many thousands of words, loops
 * take a quarter of the vectors' time. On a processor with AVX-512 both take the same time at 4
 * values.
 */
public final class SparseProducts {

  /** Approximate number of columns that vectors process in one pass. */
  private static final int GROUP_COLUMNS = 64;

  /** Mean number of values per row and group from which vectors are faster. */
  private static final int LEAST_VALUES = 4;

  private static final String IN_VECTORS = "dev.braid.learner.sparse.simd.VectorProduct";

  /**
   * Smallest number of elements in a vector. With the shorter vectors of AVX2 or Arm, the JIT
   * compiler's loops are as fast.
   */
  private static final int LEAST_LANES = 16;

  /** Holder of the warm-up, initialised on first use. */
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

  /**
   * Loads the class that computes products with vectors.
   *
   * @throws ReflectiveOperationException if it cannot be loaded
   */
  static VectorClass<SparseVectors> vectorClass() throws ReflectiveOperationException {
    return VectorClass.load(SparseVectors.class, IN_VECTORS);
  }

  /**
   * Returns whether a matrix has enough values for vectors to be faster, if vectors are available.
   */
  static boolean isForVectors(SparseMatrix sparse) {
    long groups = Math.max(1, sparse.columns() / GROUP_COLUMNS);
    return sparse.size() >= LEAST_VALUES * groups * sparse.rows();
  }

  /** Starts the trial of vectors in the background. Otherwise the first product starts it. */
  public static void warmUp() {
    OfProcess.VECTORS.ready();
  }

  /** Returns a product for dense matrices whose rows have {@code width} elements. */
  public static SparseProduct of(int width) {
    return new Faster(width);
  }

  /**
   * Returns the implementation of {@link RowSum} with vectors; empty until it is faster than {@link
   * WeightedRows}.
   */
  static Optional<RowSum> rowSum() {
    return OfProcess.VECTORS.ready().map(VectorClass::create);
  }

  /**
   * A product with loops at first, and with vectors once they are ready. It can switch at any time,
   * because the bits are the same.
   */
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
