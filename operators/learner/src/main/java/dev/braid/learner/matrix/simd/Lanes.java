package dev.braid.learner.matrix.simd;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** The vectors of the width of the processor's registers. */
final class Lanes {

  static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;

  /** Number of elements in a vector. */
  static final int LANES = SPECIES.length();

  private Lanes() {}

  /** Returns the elements from an index on. */
  static FloatVector load(float[] values, int at) {
    return FloatVector.fromArray(SPECIES, values, at);
  }
}
