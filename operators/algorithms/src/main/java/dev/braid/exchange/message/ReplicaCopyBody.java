package dev.braid.exchange.message;

import dev.braid.vector.Range;

/**
 * Messages that bring a copy of one rank's replica to a rank that is behind, which reaches the end
 * of the round in this way.
 */
public sealed interface ReplicaCopyBody extends Body {

  /**
   * Request for the receiver's replica.
   *
   * @param copy number of the copy of which the sender has parts; 0 if none
   * @param parts how many of its first parts the sender has
   */
  record Request(long copy, int parts) implements ReplicaCopyBody {
    static final BodyKind KIND =
        new BodyKind(51, (form, values) -> new Request(form.first(), form.secondInt()));

    /** Request for a complete copy. */
    public static final Request OF_ALL = new Request(0, 0);

    public Request {
      if (copy < 0 || parts < 0) {
        throw new IllegalArgumentException(
            "%d parts of copy %d: neither may be negative".formatted(parts, copy));
      }
    }

    @Override
    public BodyForm form() {
      return KIND.form(copy, parts);
    }
  }

  /**
   * A part of a replica.
   *
   * @param vector 0 for the weights, i for the i-th vector of the updater's state
   */
  record Part(int vector, Range range, Payload payload) implements ReplicaCopyBody, OverRange {
    static final BodyKind KIND =
        new BodyKind(52, (form, values) -> new Part(form.firstInt(), form.range(), values));

    public Part {
      OverRange.check(range, payload);
      if (vector < 0) {
        throw new IllegalArgumentException("vector " + vector + " of a replica: must be 0 or more");
      }
    }

    @Override
    public BodyForm form() {
      return KIND.form(range, vector, 0);
    }
  }

  /**
   * Request for the receiver's part of the updater's state over a range, in an exchange in which
   * each rank has a part of that state. The answer consists of {@linkplain Part parts}.
   */
  record StateRequest(Range range) implements ReplicaCopyBody {
    static final BodyKind KIND = new BodyKind(54, (form, values) -> new StateRequest(form.range()));

    @Override
    public BodyForm form() {
      return KIND.form(range, 0, 0);
    }
  }

  /**
   * Number of steps that the replica's updater has taken.
   *
   * @param copy number of the copy that follows. If the receiver has parts of it, only the rest
   *     follows. 0 if the source sends its replica itself and makes no copies
   */
  record Steps(long steps, long copy) implements ReplicaCopyBody {
    static final BodyKind KIND =
        new BodyKind(53, (form, values) -> new Steps(form.first(), form.second()));

    @Override
    public BodyForm form() {
      return KIND.form(steps, copy);
    }
  }
}
