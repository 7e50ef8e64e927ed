package dev.braid.exchange.collective;

import dev.braid.exchange.message.Sum;
import dev.braid.vector.Range;

/**
 * One rank's part of a collective operation, which all members of a {@link Communicator} perform
 * over a range of a vector in one phase of a round. Chunks proceed one by one, so that all members
 * work at the same time and the next operation can begin with finished chunks.
 */
public interface Collective {

  /**
   * Handles a message of this phase, and releases its values after their last use.
   *
   * @param from the sender's rank
   */
  void receive(int from, Sum sum);

  /** Discards all data of the current round. */
  default void rollBack() {}

  /** Receiver of finished chunks: called once per chunk final at this rank, in any order. */
  @FunctionalInterface
  interface Completion {

    /**
     * Handles a chunk whose values are final.
     *
     * @param samples number of samples that the chunk's values sum over
     */
    void complete(Range chunk, long samples);

    /** Returns a completion that calls this one, then the next. */
    default Completion andThen(Completion next) {
      return (chunk, samples) -> {
        complete(chunk, samples);
        next.complete(chunk, samples);
      };
    }
  }
}
