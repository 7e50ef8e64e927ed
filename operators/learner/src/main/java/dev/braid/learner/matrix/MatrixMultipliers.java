package dev.braid.learner.matrix;

import dev.braid.learner.math.MathChoice;
import java.util.Optional;

/**
 * The choice of how this process multiplies matrices.
 *
 * <p>Training multiplies with OpenBLAS, whose kernels decide the bits of a gradient. Scoring, whose
 * weights never change, multiplies in Java if the JVM has vectors that are long enough. Each
 * element is then a sum from the first term to the last, in blocks of {@value
 * MatrixMultiplier#BLOCK_DEPTH}, each added by {@link dev.braid.learner.math.MultiplyAdd}. The sum
 * therefore has the same bits with vectors of any length, and in the loops that compute until the
 * JIT compiler has finished.
 */
public final class MatrixMultipliers {

  private static final int LANES_OF_AVX_512 = 16;

  /** Holder of the warm-up, initialised on first use. A process that only trains never uses it. */
  private static final class OfProcess {
    static final VectorWarmUp VECTORS = new VectorWarmUp();
  }

  private MatrixMultipliers() {}

  /** Returns a multiplier for the products of a layer that is trained. */
  public static MatrixMultiplier forTraining() {
    return new BlasMultiplier(false);
  }

  /**
   * Returns a multiplier whose second matrix is the same in all calls and does not change, so that
   * it may be copied at the first call only. An element's bits do not depend on the number of rows
   * that are multiplied, unless this process computes all products with OpenBLAS.
   */
  public static MatrixMultiplier forScoring() {
    return OfProcess.VECTORS.found().filter(MatrixMultipliers::isFaster).isPresent()
        ? new Faster(new LoopMultiplier())
        : new BlasMultiplier(true);
  }

  /** A JVM may have vectors of 8 elements where OpenBLAS has kernels with 16, as on a Skylake. */
  private static boolean isFaster(VectorClass vectors) {
    return !MathChoice.isWithAvx512() || vectors.lanes() >= LANES_OF_AVX_512;
  }

  /**
   * A multiplier with loops at first, and with vectors once they are ready. It can switch at any
   * time, because the bits are the same.
   */
  private static final class Faster implements MatrixMultiplier {
    private final MatrixMultiplier loops;
    private Optional<MatrixMultiplier> vectors = Optional.empty();

    Faster(MatrixMultiplier loops) {
      this.loops = loops;
    }

    @Override
    public void multiply(Matrix a, Matrix b, Matrix c, boolean adds) {
      if (vectors.isEmpty()) {
        vectors = OfProcess.VECTORS.ready().map(VectorClass::create);
      }
      vectors.orElse(loops).multiply(a, b, c, adds);
    }
  }
}
