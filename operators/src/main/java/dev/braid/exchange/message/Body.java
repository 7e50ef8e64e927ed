package dev.braid.exchange.message;

import dev.braid.vector.Range;
import java.util.Arrays;

/**
 * The content of a message. There is one record for each kind of content, in families by sender. A
 * record declares its {@link BodyKind}: its code on the wire, and how it is read.
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
        TreeChoice,
        Coded {

  /** Returns the form of this body on the wire, without its values. */
  BodyForm form();

  /** Returns the range of the vector that the body refers to; empty if it refers to none. */
  default Range range() {
    return Range.EMPTY;
  }

  /** Returns the values of the body; {@link Payload#none()} if it carries none. */
  default Payload payload() {
    return Payload.none();
  }

  /**
   * Returns whether the body belongs to its message's round, and is void if that round is rolled
   * back. Other bodies are valid in any round; their message's round is only the one that their
   * sender is in.
   */
  default boolean belongsToRound() {
    return true;
  }

  /**
   * A body with a value for each element of its range, or without values where these are left out.
   */
  sealed interface OverRange extends Body
      permits Sum,
          ReplicaCopyBody.Part,
          Share.Gradient,
          Share.Missed,
          Share.Weights,
          Sharing.SharedUpdate,
          Pull.Granted,
          TreeChoice.Times,
          Coded.Answer,
          Coded.RoundSum {

    @Override
    Range range();

    @Override
    Payload payload();

    /**
     * Returns whether the body may arrive without the values of its range, because its receiver may
     * already have them.
     */
    default boolean mayLackValues() {
      return false;
    }

    /**
     * Checks that a payload is empty or has one value for each element of a range.
     *
     * @throws IllegalArgumentException if not; the message names both lengths
     */
    static void check(Range range, Payload payload) {
      if (payload.length() != 0 && payload.length() != range.length()) {
        throw new IllegalArgumentException(
            payload.length() + " values for a range of " + range.length() + " elements");
      }
    }

    /** Releases the values of waiting bodies and sets all elements to null. */
    static void forget(OverRange[] waiting) {
      for (OverRange body : waiting) {
        if (body != null) {
          body.payload().release();
        }
      }
      Arrays.fill(waiting, null);
    }
  }
}
