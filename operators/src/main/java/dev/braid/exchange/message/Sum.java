package dev.braid.exchange.message;

import dev.braid.vector.Range;
import java.util.Arrays;

/**
 * A sum of ranks' gradients over a range, in a reduction in which all of them take part.
 *
 * @param kind kind of sum, which determines what the receiver does with it
 * @param phase operation of the round that the sum belongs to, from 0
 * @param samples number of training samples that it sums over
 */
public record Sum(Kind kind, int phase, Range range, long samples, Payload payload)
    implements Body.OverRange {

  /** The kind of a sum, which determines what the receiver does with it. */
  public enum Kind {
    /** A partial sum on its way to the rank or ranks that complete it. */
    PARTIAL,
    /** A finished sum on its way to the ranks that lack it. */
    FINISHED,
    /** A subtree's sum that the receiver forwards to the parent of the subtree's root. */
    TO_RELAY,
    /**
     * A subtree's sum for the brother of the subtree's root. The brother adds it to its own sum or,
     * if it is too late for that, forwards it to the parent.
     */
    OF_BROTHER,
    /** The sum of a parent's two subtrees. */
    OF_BOTH
  }

  public Sum {
    Body.OverRange.check(range, payload);
    if (phase < 0) {
      throw new IllegalArgumentException("phase " + phase + " of a round: must be 0 or more");
    }
  }

  /** Creates a sum for a round that consists of one operation. */
  public Sum(Kind kind, Range range, long samples, Payload payload) {
    this(kind, 0, range, samples, payload);
  }

  /** Returns a partial sum. */
  public static Sum partial(Range range, long samples, Payload payload) {
    return new Sum(Kind.PARTIAL, range, samples, payload);
  }

  /** Returns a finished sum. */
  public static Sum finished(Range range, long samples, Payload payload) {
    return new Sum(Kind.FINISHED, range, samples, payload);
  }

  @Override
  public Sum with(Payload replacement) {
    return new Sum(kind, phase, range, samples, replacement);
  }

  /** Returns this sum with another kind. */
  public Sum as(Kind other) {
    return new Sum(other, phase, range, samples, payload);
  }

  /** Releases the values of waiting sums and sets all elements to null. */
  public static void forget(Sum[] waiting) {
    for (Sum sum : waiting) {
      if (sum != null) {
        sum.payload().release();
      }
    }
    Arrays.fill(waiting, null);
  }
}
