package dev.braid.learner.matrix;

/** Multiplies matrices. It has buffers of its own, so it belongs to one thread. */
public interface MatrixMultiplier extends AutoCloseable {

  /**
   * Products that are added up by themselves, in Java, before they are added to those before them:
   * the sum of many has a smaller error so.
   */
  int BLOCK_DEPTH = 512;

  /**
   * The same where the second matrix is fixed. Products of a few rows are faster in larger blocks.
   */
  int FIXED_BLOCK_DEPTH = 1024;

  /**
   * {@code c = a b}, or {@code c += a b}.
   *
   * @param adds whether to add to what is in {@code c}
   */
  void multiply(Matrix a, Matrix b, Matrix c, boolean adds);

  /** {@code c = a b}. */
  default void multiply(Matrix a, Matrix b, Matrix c) {
    multiply(a, b, c, false);
  }

  @Override
  default void close() {}
}
