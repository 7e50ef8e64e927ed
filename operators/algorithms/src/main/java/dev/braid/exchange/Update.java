package dev.braid.exchange;

import dev.braid.vector.Range;
import dev.braid.vector.Slice;

/**
 * A change of the rank's model, requested by an exchange. The exchange owns the values; they are
 * read before the call that carries the update returns.
 */
public sealed interface Update {

  /** Returns the part of the vector that the update changes. */
  Range range();

  /** Returns one value for each element of the range. */
  Slice values();

  /**
   * An optimiser step along the mean gradient, {@code values / samples}.
   *
   * @param samples number of samples that the values sum over, at least 1. Where the gradients of n
   *     ranks are applied one by one, it is the number of samples of n full gradients. All of them
   *     together then make the step of a synchronous round, and a learning rate means the same in
   *     all exchanges
   * @param gradients number of steps if the gradients had arrived one by one, at least 1
   */
  record GradientSum(Range range, Slice values, long samples, int gradients) implements Update {

    /**
     * Returns a step for ranks that train at their own pace. One full gradient of every rank
     * together make one step of the learning rate. The divisor is the same for every gradient, full
     * or partial, single or in a sum; otherwise replicas would drift apart.
     */
    public static GradientSum atOwnPace(
        ExchangeConfig config, Range range, Slice values, long samples) {
      int batch = config.options().batch();
      int gradients = (int) Math.max(1, (samples + batch - 1) / batch);
      return new GradientSum(range, values, (long) batch * config.ranks(), gradients);
    }

    /** Creates a sum that counts as one step. */
    public GradientSum(Range range, Slice values, long samples) {
      this(range, values, samples, 1);
    }

    public GradientSum {
      if (gradients < 1) {
        throw new IllegalArgumentException(
            "a sum of " + gradients + " gradients: must be 1 or more");
      }
      if (samples < 1) {
        throw new IllegalArgumentException(
            "a gradient over " + samples + " samples: must be 1 or more");
      }
    }
  }

  /**
   * A replacement of a part of the model.
   *
   * @param vector index as in {@link Port#model()}: 0 for the weights, i for the i-th vector of the
   *     updater's state
   */
  record Replacement(int vector, Range range, Slice values) implements Update {}
}
