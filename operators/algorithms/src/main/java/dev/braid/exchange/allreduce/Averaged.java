package dev.braid.exchange.allreduce;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.runner.ExchangeRunner;
import dev.braid.exchange.state.LastingState;
import dev.braid.vector.Slice;
import java.util.List;
import java.util.function.Supplier;

/** The quantity whose mean over all ranks {@link ParameterAveraging} computes. */
interface Averaged {

  /** Returns the number of elements that one rank contributes to the sum. */
  int length();

  /**
   * Creates the exchange that computes the sums.
   *
   * @param config configuration for a vector of {@link #length} elements
   * @param port receiver of each sum
   */
  ExchangeRunner sums(ExchangeConfig config, Port port);

  /** Writes this rank's part of the sum to a vector of {@link #length} elements. */
  void writeTo(float[] vector);

  /** Updates the model from the sum of all ranks' parts. */
  void apply(Slice sum);

  /** Notifies that this rank is about to change its model independently or contribute to a sum. */
  default void modelChanges() {}

  /**
   * Returns the states to save.
   *
   * @param sums supplier of the exchange that computes the sums, created at the first use
   */
  default List<LastingState> states(Supplier<ExchangeRunner> sums) {
    return List.of();
  }

  /** Returns the number of vectors of the model's length in memory. */
  default int keptVectors() {
    return 0;
  }
}
