package dev.braid.learner.sparse;

/**
 * The product of a sparse matrix and a dense one. It has buffers of its own, so it belongs to one
 * thread.
 *
 * <p>However it is computed, its bits are the same: an element is a sum from the sparse matrix's
 * first column to its last, begun at 0, and each product and each sum is rounded to a float.
 */
@FunctionalInterface
public interface SparseProduct {

  /** {@code into = sparse dense}, row after row from an element on. */
  void compute(SparseMatrix sparse, DenseRows dense, float[] into, int start);
}
