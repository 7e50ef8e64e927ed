package dev.braid.exchange.message;

import dev.braid.vector.Range;

/** A copy of one rank's replica, for a rank that is behind; it comes to the round's end by it. */
public sealed interface ReplicaCopyBody extends Body {

  /** Asks for the receiver's replica. */
  record Request() implements ReplicaCopyBody {}

  /**
   * A part of a replica.
   *
   * @param vector 0 for the weights, i for the i-th vector of the updater's state
   */
  record Part(int vector, Range range, Payload payload) implements ReplicaCopyBody, OverRange {
    public Part {
      OverRange.check(range, payload);
    }

    @Override
    public Part with(Payload replacement) {
      return new Part(vector, range, replacement);
    }
  }

  /**
   * Asks for what the receiver has of the updater's state over a range, where ranks have a part of
   * it each: it comes in {@linkplain Part parts}.
   */
  record StateRequest(Range range) implements ReplicaCopyBody {}

  /** How many steps the replica's updater has taken. */
  record Steps(long steps) implements ReplicaCopyBody {}
}
