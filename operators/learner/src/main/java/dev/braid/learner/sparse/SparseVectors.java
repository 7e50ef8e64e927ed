package dev.braid.learner.sparse;

/** Operations on sparse matrices that are computed with vectors. */
public interface SparseVectors extends SparseProduct, RowSum {}
