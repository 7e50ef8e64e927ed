package dev.braid.exchange.message;

import dev.braid.vector.Range;
import java.util.Arrays;
import java.util.List;

/**
 * A sum of ranks' gradients over a range, in a reduction in which all of them take part.
 *
 * @param kind kind of sum; in a reduction over a tree it determines what the receiver does with it
 * @param phase operation of the round that the sum belongs to, from 0
 * @param samples number of training samples that it sums over
 */
public record Sum(Kind kind, int phase, Range range, long samples, Payload payload)
    implements Body.OverRange {

  /** The kind of a sum. */
  public enum Kind {
    /** A partial sum on its way to the rank or ranks that complete it. */
    PARTIAL(1),
    /** A finished sum on its way to the ranks that lack it. */
    FINISHED(2),
    /** A subtree's sum that the receiver forwards to the parent of the subtree's root. */
    TO_RELAY(3),
    /**
     * A subtree's sum for the brother of the subtree's root. The brother adds it to its own sum or,
     * if it is too late for that, forwards it to the parent.
     */
    OF_BROTHER(4),
    /** The sum of a parent's two subtrees. */
    OF_BOTH(5);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    private Sum read(BodyForm form, Payload values) {
      return new Sum(this, form.secondInt(), form.range(), form.first(), values);
    }
  }

  /** One kind of body for each kind of sum. */
  static final List<BodyKind> KINDS =
      Arrays.stream(Kind.values()).map(kind -> new BodyKind(kind.code, kind::read)).toList();

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
  public BodyForm form() {
    return new BodyForm(kind.code, range.start(), range.end(), samples, phase);
  }

  /** Returns true for a finished sum, because a rank on the route may already have it. */
  @Override
  public boolean mayLackValues() {
    return kind == Kind.FINISHED;
  }

  /** Returns this sum with another kind. */
  public Sum as(Kind other) {
    return new Sum(other, phase, range, samples, payload);
  }
}
