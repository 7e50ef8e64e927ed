package dev.braid.exchange.message;

import dev.braid.vector.Range;

/**
 * Messages between ranks that relay gradients: updates, each with its own id, and how many updates
 * of an origin ranks have. An update's id is its origin and its number, which is the origin's
 * round.
 */
public sealed interface Sharing extends Body {

  /**
   * A part of an update. A link carries the parts of an update, and the updates of an origin, in
   * order.
   *
   * @param origin the rank that computed the gradient, whichever rank relays it
   * @param number index among the origin's gradients, from 0
   * @param samples number of training samples that the update sums over; 0 for an empty range, if
   *     it has none
   */
  record SharedUpdate(int origin, long number, Range range, int samples, Payload payload)
      implements Sharing, Body.OverRange {
    static final BodyKind KIND =
        new BodyKind(
            112,
            (form, values) ->
                new SharedUpdate(
                    BodyForm.upper(form.second()),
                    form.first(),
                    form.range(),
                    BodyForm.lower(form.second()),
                    values));

    public SharedUpdate {
      OverRange.check(range, payload);
      if (origin < 0 || number < 0 || samples < 0 || (samples == 0) != range.isEmpty()) {
        throw new IllegalArgumentException(
            ("update %d of rank %d, %d samples over %s: must be 0 or more, and 0 samples only for "
                    + "an empty range")
                .formatted(number, origin, samples, range));
      }
    }

    @Override
    public BodyForm form() {
      return KIND.form(range, number, BodyForm.pair(origin, samples));
    }

    /** Returns this part with other values. */
    public SharedUpdate with(Payload replacement) {
      return new SharedUpdate(origin, number, range, samples, replacement);
    }
  }

  /** A report of how many parts of an origin's updates one or more ranks have. */
  sealed interface Progress extends Sharing {

    int origin();

    /** Returns how many of the origin's first parts they have, counted over all its updates. */
    long parts();

    /**
     * Checks that neither number is negative.
     *
     * @throws IllegalArgumentException if one is; the message names both
     */
    static void check(int origin, long parts) {
      if (origin < 0 || parts < 0) {
        throw new IllegalArgumentException(
            parts + " parts of rank " + origin + "'s updates: neither may be negative");
      }
    }
  }

  /** Number of parts that the sender has. It is sent for each origin when a link opens. */
  record Has(int origin, long parts) implements Progress {
    static final BodyKind KIND =
        new BodyKind(113, (form, values) -> new Has(form.secondInt(), form.first()));

    public Has {
      Progress.check(origin, parts);
    }

    @Override
    public BodyForm form() {
      return KIND.form(parts, origin);
    }
  }

  /** Number of parts that all ranks on the sender's side of the link have. */
  record SideHas(int origin, long parts) implements Progress {
    static final BodyKind KIND =
        new BodyKind(114, (form, values) -> new SideHas(form.secondInt(), form.first()));

    public SideHas {
      Progress.check(origin, parts);
    }

    @Override
    public BodyForm form() {
      return KIND.form(parts, origin);
    }
  }

  /** Number of parts that all ranks have, so that no rank will ask for them again. */
  record AllHave(int origin, long parts) implements Progress {
    static final BodyKind KIND =
        new BodyKind(115, (form, values) -> new AllHave(form.secondInt(), form.first()));

    public AllHave {
      Progress.check(origin, parts);
    }

    @Override
    public BodyForm form() {
      return KIND.form(parts, origin);
    }
  }
}
