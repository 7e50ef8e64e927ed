package dev.braid.learner.optimiser;

import java.io.Serializable;

/**
 * How large a gradient may be at most, once it is summed up. It acts on the mean gradient, between
 * the sum and the optimiser's step, so that all ranks do the same to the same values.
 */
public sealed interface Clipping extends Serializable {

  /** Gradients are taken as they are. */
  Clipping NONE = new None();

  /** An optimiser that takes its steps along clipped gradients. It belongs to one thread. */
  Updater around(Updater updater);

  /** See {@link #NONE}. */
  record None() implements Clipping {
    @Override
    public Updater around(Updater updater) {
      return updater;
    }
  }

  /**
   * A mean gradient that is longer is made as long as this, and keeps its direction (Pascanu et
   * al., "On the difficulty of training recurrent neural networks", 2013). Steps have to be over
   * the whole vector at once.
   *
   * @param limit Euclidean length over all parameters
   */
  record ByNorm(double limit) implements Clipping {
    public ByNorm {
      check(limit);
    }

    @Override
    public Updater around(Updater updater) {
      return new ClippedUpdater.ByNorm(updater, limit);
    }

    @Override
    public String toString() {
      return "gradients clipped to norm " + UpdaterSpec.plain(limit);
    }
  }

  /**
   * Each element of a mean gradient is held between this and its negative.
   *
   * @param limit the largest absolute value
   * @param batch where each rank's gradients are applied one by one, samples of a full one, as a
   *     step's samples are then those of all ranks' (see {@code Update.GradientSum}); 0 where steps
   *     are along the gradient of all samples that they name
   */
  record ByValue(double limit, int batch) implements Clipping {
    public ByValue {
      check(limit);
    }

    @Override
    public Updater around(Updater updater) {
      return new ClippedUpdater.ByValue(updater, limit, batch);
    }

    @Override
    public String toString() {
      return "gradients clipped to values of " + UpdaterSpec.plain(limit);
    }
  }

  private static void check(double limit) {
    if (!(limit > 0) || Double.isInfinite(limit)) {
      throw new IllegalArgumentException(
          "clipping to " + limit + ": must be a finite number above 0");
    }
  }
}
