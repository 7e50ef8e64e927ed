package dev.braid.exchange.collective;

import dev.braid.exchange.message.Sum;
import dev.braid.vector.Range;

/**
 * One rank's part of an operation that all members of a {@link Group} make together over a range of
 * a vector, in one phase of a round. Chunks go their way one by one, so that an operation works on
 * all members at a time, and the next can begin with those that are ready.
 */
public interface Collective {

  /**
   * Takes a message of this phase, and releases its values once it is done with them.
   *
   * @param from the sender's rank
   */
  void receive(int from, Sum sum);

  /** Forgets what it has of the round under way. */
  default void rollBack() {}

  /** Told of each chunk whose values are final at this rank; in any order, each of them once. */
  @FunctionalInterface
  interface Completion {

    /**
     * The chunk's values are final.
     *
     * @param samples how many samples its values sum over
     */
    void complete(Range chunk, long samples);

    /** This, then another operation that goes on with the chunk. */
    default Completion andThen(Completion next) {
      return (chunk, samples) -> {
        complete(chunk, samples);
        next.complete(chunk, samples);
      };
    }
  }
}
