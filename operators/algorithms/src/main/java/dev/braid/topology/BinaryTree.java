package dev.braid.topology;

/**
 * A binary tree, filled level by level: rank 0 is the root, and the children of rank i are 2i+1 and
 * 2i+2 if such ranks exist.
 *
 * @param ranks number of ranks, at least 1
 */
public record BinaryTree(int ranks) {

  /** Rank of the root. */
  public static final int ROOT = 0;

  public BinaryTree {
    if (ranks < 1) {
      throw new IllegalArgumentException("a tree of " + ranks + " ranks: must be at least 1");
    }
  }

  /**
   * Returns the parent of a rank.
   *
   * @throws IllegalArgumentException for the root
   */
  public int parent(int rank) {
    if (rank == ROOT) {
      throw new IllegalArgumentException("the root has no parent");
    }
    return (rank - 1) / 2;
  }

  /** Returns the number of a rank's children: 0, 1 or 2. */
  public int childCount(int rank) {
    return Math.max(0, Math.min(2, ranks - firstChild(rank)));
  }

  /** Returns child {@code index} of a rank, with {@code 0 ≤ index < childCount(rank)}. */
  public int child(int rank, int index) {
    return firstChild(rank) + index;
  }

  /** Returns the index of a rank among its parent's children: 0 or 1. The root has none. */
  public int indexAtParent(int rank) {
    return rank - firstChild(parent(rank));
  }

  private static int firstChild(int rank) {
    return 2 * rank + 1;
  }
}
