package dev.braid.exchange.message;

import dev.braid.vector.Range;

/** A copy of one rank's replica, for a rank that is behind; it comes to the round's end by it. */
public sealed interface ReplicaCopyBody extends Body {

  /**
   * Asks for the receiver's replica.
   *
   * @param copy which copy the sender has a part of; 0 if none
   * @param parts how many parts of that it has, the first ones
   */
  record Request(long copy, int parts) implements ReplicaCopyBody {

    /** For all of a copy. */
    public static final Request OF_ALL = new Request(0, 0);

    public Request {
      if (copy < 0 || parts < 0) {
        throw new IllegalArgumentException(
            "%d parts of copy %d: neither may be negative".formatted(parts, copy));
      }
    }
  }

  /**
   * A part of a replica.
   *
   * @param vector 0 for the weights, i for the i-th vector of the updater's state
   */
  record Part(int vector, Range range, Payload payload) implements ReplicaCopyBody, OverRange {
    public Part {
      OverRange.check(range, payload);
      if (vector < 0) {
        throw new IllegalArgumentException("vector " + vector + " of a replica, which has none");
      }
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

  /**
   * How many steps the replica's updater has taken.
   *
   * @param copy which copy follows: of one that the receiver has a part of, the rest; 0 where ranks
   *     have no copies but the replica itself
   */
  record Steps(long steps, long copy) implements ReplicaCopyBody {}
}
