package dev.braid.learner.vectors;

/** Something small, computed in vectors and in loops. */
public interface VectorTrial {

  /** Computes it both ways: the time that vectors took, as a share of that of loops. */
  double run();

  /** Whether both have had the same bits, whenever they were run. */
  boolean hasSameBits();
}
