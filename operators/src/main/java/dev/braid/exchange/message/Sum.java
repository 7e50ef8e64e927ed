package dev.braid.exchange.message;

import dev.braid.vector.Range;
import java.util.Arrays;

/**
 * A sum of ranks' gradients over a range, of a reduction that all take part in.
 *
 * @param kind which sum it is, and so what the receiver does with it
 * @param phase of the round, from 0: which of the operations that it is made of the sum belongs to
 * @param samples how many training samples it sums over
 */
public record Sum(Kind kind, int phase, Range range, long samples, Payload payload)
    implements Body.OverRange {

  /** What the receiver does with a sum. */
  public enum Kind {
    /** A partial sum on its way to the rank or ranks that complete it. */
    PARTIAL,
    /** A finished sum on its way to the ranks that lack it. */
    FINISHED,
    /** A subtree's sum that the receiver shall pass on to the parent of the subtree's root. */
    TO_RELAY,
    /**
     * A subtree's sum, for the brother of its root, to be added to his own; or from him to the
     * parent, where it was too late for that.
     */
    OF_BROTHER,
    /** The sum of a parent's two subtrees. */
    OF_BOTH
  }

  public Sum {
    Body.OverRange.check(range, payload);
    if (phase < 0) {
      throw new IllegalArgumentException("phase " + phase + " of a round: 0 is the first");
    }
  }

  /** A sum of a round that is one operation. */
  public Sum(Kind kind, Range range, long samples, Payload payload) {
    this(kind, 0, range, samples, payload);
  }

  /** A partial sum. */
  public static Sum partial(Range range, long samples, Payload payload) {
    return new Sum(Kind.PARTIAL, range, samples, payload);
  }

  /** A finished sum. */
  public static Sum finished(Range range, long samples, Payload payload) {
    return new Sum(Kind.FINISHED, range, samples, payload);
  }

  @Override
  public Sum with(Payload replacement) {
    return new Sum(kind, phase, range, samples, replacement);
  }

  /** The same sum for a receiver that does something else with it. */
  public Sum as(Kind other) {
    return new Sum(other, phase, range, samples, payload);
  }

  /** Releases the values of sums that wait, and forgets them: nulls are left. */
  public static void forget(Sum[] waiting) {
    for (Sum sum : waiting) {
      if (sum != null) {
        sum.payload().release();
      }
    }
    Arrays.fill(waiting, null);
  }
}
