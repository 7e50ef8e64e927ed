package dev.braid.exchange;

import dev.braid.vector.Range;
import dev.braid.vector.Slice;

/**
 * What an exchange tells its rank to do to the model. The values are the exchange's and are read
 * before the call that carries the update returns.
 */
public sealed interface Update {

  /** The part of the vector that is meant. */
  Range range();

  /** One value for each element of the range. */
  Slice values();

  /**
   * Take a step of the optimiser along the mean gradient, {@code values / samples}.
   *
   * @param samples how many samples the values sum over, at least 1. Where the gradients of n ranks
   *     are applied one by one, the samples of n full ones: so all of them together make the step
   *     that a synchronous round makes, and a learning rate means the same in all exchanges
   * @param gradients how many steps that would be, had the gradients come one by one; 1 at least
   */
  record GradientSum(Range range, Slice values, long samples, int gradients) implements Update {

    /**
     * Of ranks that go their own pace: one full gradient of each makes one step of the learning
     * rate. The divisor is the same for all gradients, full or not, alone or in a sum: replicas
     * would drift apart otherwise.
     */
    public static GradientSum atOwnPace(
        ExchangeConfig config, Range range, Slice values, long samples) {
      int batch = config.options().batch();
      int gradients = (int) Math.max(1, (samples + batch - 1) / batch);
      return new GradientSum(range, values, (long) batch * config.ranks(), gradients);
    }

    /** One step. */
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
   * Replace a part of the model.
   *
   * @param vector as in {@link Port#model()}: 0 for the weights, i for the i-th vector of the
   *     updater's state
   */
  record Replacement(int vector, Range range, Slice values) implements Update {}
}
