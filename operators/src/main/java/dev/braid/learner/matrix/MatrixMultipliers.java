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
 * How this process multiplies matrices.
 *
 * <p>In Java, where its JVM makes vector instructions of the JDK's vectors: each element is a sum
 * from the first product to the last, in blocks of {@value MatrixMultiplier#BLOCK_DEPTH}, each
 * added by {@link MultiplyAdd}, so that it has the same bits with vectors of any length, and in the
 * loops that compute until the JIT compiler is done. With AVX-512 that takes little more than half
 * of the time of OpenBLAS's kernels for AVX2, which have the same bits everywhere, too; with AVX2
 * it takes as long; and nothing is copied into native memory and back.
 *
 * <p>In OpenBLAS, where a JVM has no such vectors, or short ones, and of matrices that would not
 * fill a tile.
 */
public final class MatrixMultipliers {

  /** Of a layer's outputs. By this alone, as bits depend on it. */
  private static final int LEAST_COLUMNS = 16;

  private static final int LEAST_LANES = 8;
  private static final int LANES_OF_AVX_512 = 16;

  private static final String IN_VECTORS = "dev.braid.learner.matrix.vector.VectorMultiplier";
  private static final String FIXED_IN_VECTORS =
      "dev.braid.learner.matrix.vector.FixedVectorMultiplier";

  /** Begun when it is first asked for. */
  private static final class OfProcess {
    static final VectorWarmUp<MatrixMultiplier> VECTORS =
        new VectorWarmUp<>(
            "Products of matrices",
            MatrixMultiplier.class,
            IN_VECTORS,
            LEAST_LANES,
            MatrixTrial::new);
  }

  /** Begun when it is first asked for, which a process that only trains never does. */
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

  /** Loads the class that multiplies in vectors, where it can be. */
  static VectorClass<MatrixMultiplier> vectorClass() throws ReflectiveOperationException {
    return VectorClass.load(MatrixMultiplier.class, IN_VECTORS);
  }

  /** Loads the class that multiplies by fixed matrices in vectors, where it can be. */
  static VectorClass<MatrixMultiplier> fixedVectorClass() throws ReflectiveOperationException {
    return VectorClass.load(MatrixMultiplier.class, FIXED_IN_VECTORS);
  }

  /** For a layer with so many outputs: all products with its weights, and of their gradient. */
  public static MatrixMultiplier of(int outputs) {
    return isInJava(outputs)
        ? new Faster(OfProcess.VECTORS, new LoopMultiplier())
        : new BlasMultiplier(false);
  }

  /**
   * Returns a multiplier whose second matrix is the same in all calls, and does not change: it may
   * be copied at the first call only. An element's bits do not depend on the number of rows that
   * are multiplied, except where this process computes all products in OpenBLAS.
   */
  public static MatrixMultiplier withFixedSecond() {
    return FixedOfProcess.VECTORS.found().filter(it -> it.lanes() >= leastLanes()).isPresent()
        ? new Faster(FixedOfProcess.VECTORS, new LoopMultiplier(MatrixMultiplier.FIXED_BLOCK_DEPTH))
        : new BlasMultiplier(true);
  }

  /**
   * Has a process begin to find out whether vectors are faster, beside what it does. Else its first
   * product does.
   */
  public static void warmUp() {
    OfProcess.VECTORS.ready();
  }

  /** Whether a layer with so many outputs is for vectors, where there are any. */
  public static boolean suits(int outputs) {
    return outputs >= LEAST_COLUMNS;
  }

  private static boolean isInJava(int outputs) {
    return suits(outputs)
        && OfProcess.VECTORS.found().filter(it -> it.lanes() >= leastLanes()).isPresent();
  }

  /** A JVM may have vectors of 8 where OpenBLAS has kernels with 16, as on a Skylake. */
  private static int leastLanes() {
    return MathChoice.isWithAvx512() ? LANES_OF_AVX_512 : LEAST_LANES;
  }

  /**
   * What decides the bits of a layer with so many outputs.
   *
   * @param ofLibrary what decides those of the native library
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

  /** Of a product's bits. */
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

  /** Loops, and vectors from when they are ready on: at any time, as the bits are the same. */
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
