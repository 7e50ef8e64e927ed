package dev.braid.exchange;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Statistics that an exchange provides for reports and metrics. */
public interface Measured {

  /** Statistics of an exchange that provides none. */
  Measured NOTHING = new Measured() {};

  /** Returns the staleness of a gradient that this rank would compute from its current model. */
  default Staleness staleness() {
    return Staleness.NONE;
  }

  /** Returns the inputs of the bandwidth cost model; empty for exchanges without one. */
  default Optional<BandwidthUse> bandwidthUse() {
    return Optional.empty();
  }

  /** Returns decoding statistics, for exchanges whose sums do not wait for late ranks. */
  default Optional<DecodingUse> decodingUse() {
    return Optional.empty();
  }

  /**
   * Returns a lower bound of the rate, in bytes per second, at which links accept data from this
   * rank, for exchanges with their own transport. Empty before it is measured, and if a layer below
   * the exchange measures it.
   */
  default OptionalDouble bytesPerSecond() {
    return OptionalDouble.empty();
  }

  /**
   * Returns the number of vectors of the model's length in memory in addition to the model and the
   * rank's own gradient: values accumulated for other ranks, values waiting to be sent, and
   * received values held back.
   */
  default int keptVectors() {
    return 0;
  }

  /** Returns the absent ranks, without which this rank continues. */
  default List<Integer> absentRanks() {
    return List.of();
  }

  /**
   * Returns the awaited ranks: unreachable ranks with data that no other rank has and that this
   * rank needs before it can continue.
   */
  default List<Awaited> awaitedRanks() {
    return List.of();
  }

  /**
   * Two ranks of which one must rejoin.
   *
   * @param first a rank that has the needed data
   * @param second the other rank that has it; equal to {@code first} if there is no other
   */
  record Awaited(int first, int second) {

    /** Returns the pair of two ranks, in either order. */
    public static Awaited eitherOf(int one, int other) {
      return new Awaited(Math.min(one, other), Math.max(one, other));
    }
  }

  /** Returns relay statistics, for exchanges in which ranks relay other ranks' updates. */
  default Optional<RelayUse> relayUse() {
    return Optional.empty();
  }

  /** Returns compression statistics of this rank's gradients; empty without compression. */
  default Optional<CompressionUse> compressionUse() {
    return Optional.empty();
  }
}
