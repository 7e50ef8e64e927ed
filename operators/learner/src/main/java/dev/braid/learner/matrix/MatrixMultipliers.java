package dev.braid.learner.matrix;

import dev.braid.learner.math.MathChoice;
import dev.braid.learner.math.MathKernels;
import dev.braid.learner.math.MultiplyAdd;
import dev.braid.learner.vectors.VectorClass;
import dev.braid.learner.vectors.VectorWarmUp;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * The choice of how this process multiplies matrices.
 *
 * <p>It multiplies in Java if its JVM generates vector instructions from the JDK's vectors. Each
 * element is a sum from the first term to the last, in blocks of {@value
 * MatrixMultiplier#BLOCK_DEPTH}, each added by {@link MultiplyAdd}. The sum therefore has the same
 * bits with vectors of any length, and in the loops that compute until the JIT compiler has
 * finished. With AVX-512 this takes little more than half of the time of OpenBLAS's kernels for
 * AVX2, which also have the same bits everywhere. With AVX2 it takes the same time. Nothing is
 * copied into native memory and back.
 *
 * <p>It multiplies with OpenBLAS if the JVM has no vectors or only short ones, and for matrices
 * that would not fill a tile.
 */
public final class MatrixMultipliers {

  /**
   * Smallest number of a layer's outputs for Java's vectors. The choice depends only on this
   * constant, because it decides bits.
   */
  private static final int LEAST_COLUMNS = 16;

  private static final int LEAST_LANES = 8;
  private static final int LANES_OF_AVX_512 = 16;

  private static final String IN_VECTORS = "dev.braid.learner.matrix.simd.VectorMultiplier";
  private static final String FIXED_IN_VECTORS =
      "dev.braid.learner.matrix.simd.FixedVectorMultiplier";

  /** Holder of the warm-up, initialised on first use. */
  private static final class OfProcess {
    static final VectorWarmUp<MatrixMultiplier> VECTORS =
        new VectorWarmUp<>(
            "Products of matrices",
            MatrixMultiplier.class,
            IN_VECTORS,
            LEAST_LANES,
            MatrixTrial::new);
  }

  /**
   * Holder of the warm-up for fixed matrices, initialised on first use. A process that only trains
   * never uses it.
   */
  private static final class FixedOfProcess {
    static final VectorWarmUp<MatrixMultiplier> VECTORS =
        new VectorWarmUp<>(
            "Products of samples with fixed weights",
            MatrixMultiplier.class,
            FIXED_IN_VECTORS,
            LEAST_LANES,
            FixedMatrixTrial::new);
  }

  private MatrixMultipliers() {}

  /**
   * Loads the class that multiplies with vectors.
   *
   * @throws ReflectiveOperationException if it cannot be loaded
   */
  static VectorClass<MatrixMultiplier> vectorClass() throws ReflectiveOperationException {
    return VectorClass.load(MatrixMultiplier.class, IN_VECTORS);
  }

  /**
   * Loads the class that multiplies by fixed matrices with vectors.
   *
   * @throws ReflectiveOperationException if it cannot be loaded
   */
  static VectorClass<MatrixMultiplier> fixedVectorClass() throws ReflectiveOperationException {
    return VectorClass.load(MatrixMultiplier.class, FIXED_IN_VECTORS);
  }

  /**
   * Returns a multiplier for all products of a layer with {@code outputs} outputs: those with its
   * weights, and those of its gradient.
   */
  public static MatrixMultiplier of(int outputs) {
    return isInJava(outputs)
        ? new Faster(OfProcess.VECTORS, new LoopMultiplier())
        : new BlasMultiplier(false);
  }

  /**
   * Returns a multiplier whose second matrix is the same in all calls and does not change, so that
   * it may be copied at the first call only. An element's bits do not depend on the number of rows
   * that are multiplied, unless this process computes all products with OpenBLAS.
   */
  public static MatrixMultiplier withFixedSecond() {
    return FixedOfProcess.VECTORS.found().filter(it -> it.lanes() >= leastLanes()).isPresent()
        ? new Faster(FixedOfProcess.VECTORS, new LoopMultiplier(MatrixMultiplier.FIXED_BLOCK_DEPTH))
        : new BlasMultiplier(true);
  }

  /** Starts the trial of vectors in the background. Otherwise the first product starts it. */
  public static void warmUp() {
    OfProcess.VECTORS.ready();
  }

  /**
   * Returns whether a layer with {@code outputs} outputs is wide enough for vectors, if they are
   * available.
   */
  public static boolean suits(int outputs) {
    return outputs >= LEAST_COLUMNS;
  }

  private static boolean isInJava(int outputs) {
    return suits(outputs)
        && OfProcess.VECTORS.found().filter(it -> it.lanes() >= leastLanes()).isPresent();
  }

  /**
   * Returns the smallest number of elements in a vector for which Java is preferred. A JVM may have
   * vectors of 8 elements where OpenBLAS has kernels with 16, as on a Skylake.
   */
  private static int leastLanes() {
    return MathChoice.isWithAvx512() ? LANES_OF_AVX_512 : LEAST_LANES;
  }

  /**
   * Returns everything that decides the bits of a layer with {@code outputs} outputs.
   *
   * @param ofLibrary everything that decides the bits of the native library
   */
  public static MathKernels kernels(MathKernels ofLibrary, int outputs) {
    if (!isInJava(outputs)) {
      return ofLibrary;
    }
    return new MathKernels(
        ofLibrary.library(),
        ofLibrary.core() + ", and Java's vectors",
        ofLibrary.product() ^ checksum());
  }

  /** Returns a checksum of a product's bits. */
  private static int checksum() {
    int side = 40;
    float[] values = new float[side * side];
    for (int i = 0; i < values.length; i++) {
      values[i] = i * 7919 % 1009 / 1009f - 0.5f;
    }
    Matrix matrix = Matrix.byRow(values, 0, side, side);
    Matrix square = Matrix.byRow(new float[values.length], 0, side, side);
    new LoopMultiplier().multiply(matrix, matrix, square);
    CRC32 checksum = new CRC32();
    ByteBuffer bytes = ByteBuffer.allocate(values.length * Float.BYTES);
    bytes.asFloatBuffer().put(square.values());
    checksum.update(bytes);
    return (int) checksum.getValue();
  }

  /**
   * A multiplier with loops at first, and with vectors once they are ready. It can switch at any
   * time, because the bits are the same.
   */
  private static final class Faster implements MatrixMultiplier {
    private final VectorWarmUp<MatrixMultiplier> ofProcess;
    private final MatrixMultiplier loops;
    private Optional<MatrixMultiplier> vectors = Optional.empty();

    Faster(VectorWarmUp<MatrixMultiplier> ofProcess, MatrixMultiplier loops) {
      this.ofProcess = ofProcess;
      this.loops = loops;
    }

    @Override
    public void multiply(Matrix a, Matrix b, Matrix c, boolean adds) {
      if (vectors.isEmpty()) {
        vectors = ofProcess.ready().map(VectorClass::create);
      }
      vectors.orElse(loops).multiply(a, b, c, adds);
    }
  }
}
