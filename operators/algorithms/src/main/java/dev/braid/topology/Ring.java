package dev.braid.topology;

/**
 * Ranks in a circle, each linked to the next.
 *
 * @param ranks number of ranks, at least 1
 */
public record Ring(int ranks) {

  public Ring {
    if (ranks < 1) {
      throw new IllegalArgumentException("a ring of " + ranks + " ranks: must be at least 1");
    }
  }

  /** Returns the rank that {@code rank} sends to. */
  public int next(int rank) {
    return rank + 1 == ranks ? 0 : rank + 1;
  }

  /** Returns the rank that {@code rank} receives from. */
  public int previous(int rank) {
    return rank == 0 ? ranks - 1 : rank - 1;
  }
}
