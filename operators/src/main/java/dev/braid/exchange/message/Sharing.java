package dev.braid.exchange.message;

import dev.braid.vector.Range;

/**
 * What ranks say to each other that relay gradients: updates, each with an id of its own, and how
 * far ranks have come with those of one origin. An update's id is its origin and its number, which
 * is the origin's round.
 */
public sealed interface Sharing extends Body {

  /**
   * A part of an update. Parts of one update, and updates of one origin, go over a link in their
   * order.
   *
   * @param origin the rank whose gradient it is, whoever passes it on
   * @param number which of the origin's gradients, from 0
   * @param samples how many training samples it sums over; 0 with an empty range, where it has none
   */
  record SharedUpdate(int origin, long number, Range range, int samples, Payload payload)
      implements Sharing, Body.OverRange {

    public SharedUpdate {
      OverRange.check(range, payload);
      if (origin < 0 || number < 0 || samples < 0 || (samples == 0) != range.isEmpty()) {
        throw new IllegalArgumentException(
            "update %d of rank %d, of %d samples over %s: neither may be negative, and an empty range has no sample"
                .formatted(number, origin, samples, range));
      }
    }

    @Override
    public SharedUpdate with(Payload replacement) {
      return new SharedUpdate(origin, number, range, samples, replacement);
    }
  }

  /** What says how many parts of an origin's updates somebody has. */
  sealed interface Progress extends Sharing {

    int origin();

    /** Of the origin's parts, counted over all its updates: so many, the first ones. */
    long parts();

    /**
     * Refuses numbers that no rank says.
     *
     * @throws IllegalArgumentException naming both
     */
    static void check(int origin, long parts) {
      if (origin < 0 || parts < 0) {
        throw new IllegalArgumentException(
            parts + " parts of rank " + origin + "'s updates: neither may be negative");
      }
    }
  }

  /** The sender has so many; said of each origin when a link begins to carry updates. */
  record Has(int origin, long parts) implements Progress {
    public Has {
      Progress.check(origin, parts);
    }
  }

  /** All ranks on the sender's side of the link have so many. */
  record SideHas(int origin, long parts) implements Progress {
    public SideHas {
      Progress.check(origin, parts);
    }
  }

  /** All ranks have so many: nobody will ask for them any more. */
  record AllHave(int origin, long parts) implements Progress {
    public AllHave {
      Progress.check(origin, parts);
    }
  }
}
