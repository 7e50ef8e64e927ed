package dev.braid.learner.sparse;

/**
 * The product of a sparse matrix and a dense one. An instance has its own buffers, and belongs to
 * one thread.
 *
 * <p>All implementations compute the same bits: an element is a sum that starts at 0 and adds the
 * terms from the sparse matrix's first column to its last by {@link
 * dev.braid.learner.math.MultiplyAdd}.
 */
@FunctionalInterface
public interface SparseProduct {

  /** Computes {@code into = sparse dense}, row after row from index {@code start} on. */
  void compute(SparseMatrix sparse, DenseRows dense, float[] into, int start);
}
