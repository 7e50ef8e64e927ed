package dev.braid.exchange;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** What an exchange can tell of itself, for reports and metrics. */
public interface Measured {

  /** Of an exchange that tells nothing. */
  Measured NOTHING = new Measured() {};

  /** How far the model here lags behind, if the rank computed a gradient from it now. */
  default Staleness staleness() {
    return Staleness.NONE;
  }

  /** What the cost model goes by, where an exchange has one. */
  default Optional<BandwidthUse> bandwidthUse() {
    return Optional.empty();
  }

  /** What has become of answers, where sums are made without those who are late. */
  default Optional<DecodingUse> decodingUse() {
    return Optional.empty();
  }

  /**
   * How many bytes a second links take from this rank, or more, of an exchange that has a transport
   * of its own; none before that is known, and where what is below the exchange measures it.
   */
  default OptionalDouble bytesPerSecond() {
    return OptionalDouble.empty();
  }

  /**
   * How many vectors of the model's length are kept here beside the model and the rank's own
   * gradient: what is accumulated for others, what waits to be sent, what has come and is held
   * back.
   */
  default int keptVectors() {
    return 0;
  }

  /** The absent ranks: those that this one goes on without. */
  default List<Integer> absentRanks() {
    return List.of();
  }

  /**
   * The awaited ranks: those that are away and alone have something that this one needs before it
   * goes on.
   */
  default List<Awaited> awaitedRanks() {
    return List.of();
  }

  /**
   * Two ranks of which it is enough that one comes back.
   *
   * @param second the first, where nobody else has what that has
   */
  record Awaited(int first, int second) {

    /** Of both, whoever is named first. */
    public static Awaited eitherOf(int one, int other) {
      return new Awaited(Math.min(one, other), Math.max(one, other));
    }
  }

  /** What has become of others' updates, where ranks relay them. */
  default Optional<RelayUse> relayUse() {
    return Optional.empty();
  }

  /** What compression has made of this rank's gradients, where they are compressed. */
  default Optional<CompressionUse> compressionUse() {
    return Optional.empty();
  }
}
