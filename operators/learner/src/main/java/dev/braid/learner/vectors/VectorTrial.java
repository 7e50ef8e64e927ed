package dev.braid.learner.vectors;

/** A small computation that is run with vectors and with loops, to compare them. */
public interface VectorTrial {

  /**
   * Runs the computation both ways, and returns the ratio of the vectors' time to the loops' time.
   */
  double run();

  /** Returns whether vectors and loops computed the same bits in every run. */
  boolean hasSameBits();
}
