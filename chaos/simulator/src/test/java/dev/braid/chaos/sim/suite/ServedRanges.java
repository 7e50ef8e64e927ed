package dev.braid.chaos.sim.suite;

import dev.braid.topology.Ring;
import dev.braid.vector.Range;

/** Assignment of the elements of a vector to the ranks that serve them. */
interface ServedRanges {

  /** Returns the number of ranks that compute. */
  int workers();

  /** Returns the number of elements. */
  int length();

  /** Returns the elements that a rank serves. */
  Range of(int rank);

  /**
   * Returns the worker whose gradient is the first in the sum of an element; the next ones follow.
   */
  default int first(int element) {
    return 0;
  }

  /** Checks that a rank changes only elements that it serves. */
  default void check(int rank, Range range) {
    if (!of(rank).contains(range)) {
      throw new IllegalStateException(
          "rank " + rank + " steps over " + range + ", and serves " + of(rank));
    }
  }

  /**
   * Ranges of parameter servers.
   *
   * @param dedicated number of ranks that serve and compute nothing; 0 if every rank serves
   */
  record OfServers(int ranks, int dedicated, int length) implements ServedRanges {

    @Override
    public int workers() {
      return ranks - dedicated;
    }

    @Override
    public Range of(int rank) {
      Range whole = Range.ofLength(length);
      if (dedicated == 0) {
        return whole.part(rank, ranks);
      }
      return rank < workers() ? Range.EMPTY : whole.part(rank - workers(), dedicated);
    }
  }

  /**
   * Ranges of a ring: a rank serves the elements whose sum it has, in which its own gradient is the
   * last.
   */
  record OfRing(int workers, int length) implements ServedRanges {

    @Override
    public Range of(int rank) {
      return Range.ofLength(length).part(new Ring(workers).next(rank), workers);
    }

    @Override
    public int first(int element) {
      int block = 0;
      while (Range.ofLength(length).part(block, workers).end() <= element) {
        block++;
      }
      return block;
    }
  }
}
