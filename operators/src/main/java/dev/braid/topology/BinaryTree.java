package dev.braid.topology;

/**
 * A binary tree, filled level by level: rank 0 is the root and the children of rank i are 2i+1 and
 * 2i+2, as far as there are such ranks.
 *
 * @param ranks how many there are, at least 1
 */
public record BinaryTree(int ranks) {

  /** The root's rank. */
  public static final int ROOT = 0;

  public BinaryTree {
    if (ranks < 1) {
      throw new IllegalArgumentException("a tree of " + ranks + " ranks: at least 1 is needed");
    }
  }

  /** The parent of a rank that is not the root. */
  public int parent(int rank) {
    if (rank == ROOT) {
      throw new IllegalArgumentException("the root has no parent");
    }
    return (rank - 1) / 2;
  }

  /** How many children a rank has: 0, 1 or 2. */
  public int childCount(int rank) {
    return Math.max(0, Math.min(2, ranks - firstChild(rank)));
  }

  /** Child {@code index} of a rank, with {@code index < childCount(rank)}. */
  public int child(int rank, int index) {
    return firstChild(rank) + index;
  }

  /** Which child of its parent a rank is that is not the root: 0 or 1. */
  public int indexAtParent(int rank) {
    return rank - firstChild(parent(rank));
  }

  private static int firstChild(int rank) {
    return 2 * rank + 1;
  }
}
