package dev.braid.learner.sparse;

import java.util.Optional;

/** The fastest way to compute sparse products that this process has. */
public final class SparseProducts {

  private SparseProducts() {}

  /** For dense matrices whose rows have so many elements. */
  public static SparseProduct of(int width) {
    return new Faster(width);
  }

  /** Loops, and vectors from when they are ready on: at any time, as the bits are the same. */
  private static final class Faster implements SparseProduct {
    private final int width;
    private final SparseProduct loops;
    private Optional<SparseProduct> vectors = Optional.empty();

    Faster(int width) {
      this.width = width;
      this.loops = new LoopProduct(width);
    }

    @Override
    public void compute(SparseMatrix sparse, DenseRows dense, float[] into, int start) {
      if (vectors.isEmpty()) {
        vectors = VectorWarmUp.ready().filter(it -> it.takes(width)).map(VectorClass::product);
      }
      vectors.orElse(loops).compute(sparse, dense, into, start);
    }
  }
}
