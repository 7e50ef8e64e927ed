package dev.braid.exchange.allreduce;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.Synchronous;
import dev.braid.exchange.state.LastingState;
import dev.braid.vector.Slice;
import java.util.List;
import java.util.function.Supplier;

/** What {@link ParameterAveraging} takes the mean of. */
interface Averaged {

  /** How many elements are added up, of one rank. */
  int length();

  /**
   * What adds them up.
   *
   * @param config of a vector of that length
   * @param port which is told of each sum
   */
  Synchronous sums(ExchangeConfig config, Port port);

  /** This rank's part of the sum. */
  void writeTo(float[] vector);

  /** Makes a model of the sum of all ranks' parts. */
  void apply(Slice sum);

  /** This rank's model is about to change by itself. */
  default void modelChanges() {}

  /**
   * What lasts of it.
   *
   * @param sums what adds up, made at the first use
   */
  default List<LastingState> states(Supplier<Synchronous> sums) {
    return List.of();
  }

  /** How many vectors of the model's length it keeps. */
  default int keptVectors() {
    return 0;
  }
}
