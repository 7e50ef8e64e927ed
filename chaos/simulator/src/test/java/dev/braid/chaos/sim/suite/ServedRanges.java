package dev.braid.chaos.sim.suite;

import dev.braid.topology.Ring;
import dev.braid.vector.Range;

/** Which rank serves which elements of a vector. */
interface ServedRanges {

  /** How many ranks compute. */
  int workers();

  /** How many elements there are. */
  int length();

  /** The elements that a rank serves. */
  Range of(int rank);

  /** The worker with whose gradient the sum of an element begins; the next ones follow. */
  default int first(int element) {
    return 0;
  }

  /** Checks that a rank changes only what it serves. */
  default void check(int rank, Range range) {
    if (!of(rank).contains(range)) {
      throw new IllegalStateException(
          "rank " + rank + " steps over " + range + ", and serves " + of(rank));
    }
  }

  /**
   * Those of parameter servers.
   *
   * @param dedicated how many of the ranks serve and compute nothing; 0: every rank serves
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

  /** Those of a ring: what a rank has the sum of, in which its own gradient is the last. */
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
