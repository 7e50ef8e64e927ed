package dev.braid.chaos.sim.suite;

import dev.braid.vector.Range;

/**
 * Which rank serves which elements.
 *
 * @param dedicated how many of the ranks serve and compute nothing; 0: every rank serves
 */
record ServedRanges(int ranks, int dedicated, int length) {

  int workers() {
    return ranks - dedicated;
  }

  /** The elements that a rank serves. */
  Range of(int rank) {
    Range whole = Range.ofLength(length);
    if (dedicated == 0) {
      return whole.part(rank, ranks);
    }
    return rank < workers() ? Range.EMPTY : whole.part(rank - workers(), dedicated);
  }

  /** Checks that a rank changes only what it serves. */
  void check(int rank, Range range) {
    if (range.start() < of(rank).start() || range.end() > of(rank).end()) {
      throw new IllegalStateException(
          "rank " + rank + " steps over " + range + ", and serves " + of(rank));
    }
  }
}
