package dev.braid.learner.sparse;

/** What of sparse matrices is computed in vectors. */
public interface SparseVectors extends SparseProduct, RowSum {}
