package dev.braid.exchange.message;

import dev.braid.vector.Range;

/**
 * What a message says: a record for each thing that is said, in families by who says it. Which
 * number each has on the wire, and how its fields are written, is in {@link BodyForm} alone.
 */
public sealed interface Body
    permits Body.OverRange,
        TreeNotice,
        LinkControl,
        Presence,
        ReplicaCopyBody,
        Share,
        Pull,
        Sharing,
        TreeChoice {

  /** The part of a vector that it is about; empty where it is about none. */
  default Range range() {
    return Range.EMPTY;
  }

  /** The values that it carries; {@link Payload#none()} where it carries none. */
  default Payload payload() {
    return Payload.none();
  }

  /**
   * Whether it belongs to its message's round, so that it is void where that is rolled back. Others
   * count whatever the round, and only tell which their sender is in.
   */
  default boolean belongsToRound() {
    return true;
  }

  /** A body with values for each element of its range, or with none where they are left out. */
  sealed interface OverRange extends Body
      permits Sum,
          ReplicaCopyBody.Part,
          Share.Gradient,
          Share.Missed,
          Share.Weights,
          Sharing.SharedUpdate,
          Pull.Granted,
          TreeChoice.Times {

    @Override
    Range range();

    @Override
    Payload payload();

    /** The same with other values. */
    OverRange with(Payload replacement);

    /**
     * Refuses values that are not as many as the range's elements.
     *
     * @throws IllegalArgumentException naming both
     */
    static void check(Range range, Payload payload) {
      if (payload.length() != 0 && payload.length() != range.length()) {
        throw new IllegalArgumentException(
            payload.length() + " values for a range of " + range.length() + " elements");
      }
    }
  }
}
