package dev.braid.learner.matrix;

/** Multiplies matrices. An instance has its own buffers, and belongs to one thread. */
public interface MatrixMultiplier extends AutoCloseable {

  /**
   * Number of terms that are summed separately, in Java, before they are added to the previous sum,
   * which reduces the error of long sums.
   */
  int BLOCK_DEPTH = 1024;

  /**
   * Computes {@code c = a b}, or {@code c += a b}.
   *
   * @param adds whether to add to the contents of {@code c}
   */
  void multiply(Matrix a, Matrix b, Matrix c, boolean adds);

  /** Computes {@code c = a b}. */
  default void multiply(Matrix a, Matrix b, Matrix c) {
    multiply(a, b, c, false);
  }

  @Override
  default void close() {}
}
