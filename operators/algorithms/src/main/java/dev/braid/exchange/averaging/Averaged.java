package dev.braid.exchange.averaging;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.runner.ExchangeRunner;
import dev.braid.exchange.state.LastingState;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.List;
import java.util.function.Supplier;

/** The quantity whose mean over all ranks {@link ParameterAveraging} computes, range by range. */
interface Averaged {

  /** Returns the number of elements that one rank contributes to the sum over a range. */
  int length(Range range);

  /**
   * Creates the exchange that computes the sums over a range.
   *
   * @param config configuration for a vector of {@link #length} elements
   * @param port receiver of each sum
   */
  ExchangeRunner sums(ExchangeConfig config, Port port);

  /**
   * Notes that a sum over a range begins with the model as it is. The model may change until the
   * sum is {@linkplain #apply applied}.
   */
  default void begin(Range range) {}

  /**
   * Writes this rank's part of the sum that has begun to a vector of {@link #length} elements;
   * again after a rollback.
   */
  void writeTo(Range range, float[] part);

  /** Updates the model from the sum of all ranks' parts. */
  void apply(Range range, Slice sum);

  /** Notifies that this rank is about to change its model independently or contribute to a sum. */
  default void modelChanges() {}

  /**
   * Returns the states to save.
   *
   * @param sums supplier of the exchanges that compute the sums, one per range and in the order of
   *     ranges, created at the first use
   */
  default List<LastingState> states(Supplier<List<ExchangeRunner>> sums) {
    return List.of();
  }

  /** Returns the number of vectors of the model's length in memory. */
  default int keptVectors() {
    return 0;
  }
}
