package dev.braid.topology;

import java.util.Arrays;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * A binary tree with backup links from every rank to its brother and its uncle: the overlay of the
 * fault-tolerant tree (<em>fault-tolerant tree</em>, §6.1, Figure 7).
 *
 * <p>The primary links are those of the tree. From seven ranks on, every rank has three or more
 * neighbours, except the root, which has two, and a few ranks at the edge of a tree that is not
 * full. From three ranks on, no link is the only route to a rank.
 *
 * @param ranks number of ranks, at least 1
 */
public record BackupTree(int ranks) {

  public BackupTree {
    if (ranks < 1) {
      throw new IllegalArgumentException("a tree of " + ranks + " ranks: must be at least 1");
    }
  }

  /** Returns the tree of primary links. */
  public BinaryTree tree() {
    return new BinaryTree(ranks);
  }

  /** Returns the other child of a rank's parent, if there is one. */
  public OptionalInt brother(int rank) {
    if (rank == BinaryTree.ROOT) {
      return OptionalInt.empty();
    }
    // Children are 2i+1 and 2i+2.
    int brother = rank % 2 == 0 ? rank - 1 : rank + 1;
    return brother < ranks ? OptionalInt.of(brother) : OptionalInt.empty();
  }

  /** Returns the brother of a rank's parent, if there is one. */
  public OptionalInt uncle(int rank) {
    return rank == BinaryTree.ROOT ? OptionalInt.empty() : brother(tree().parent(rank));
  }

  /** Returns the ranks whose uncle is the given rank: the children of its brother. */
  public int[] nephews(int rank) {
    OptionalInt brother = brother(rank);
    return brother.isEmpty()
        ? new int[0]
        : IntStream.range(0, tree().childCount(brother.getAsInt()))
            .map(i -> tree().child(brother.getAsInt(), i))
            .toArray();
  }

  /**
   * Returns the ranks that guard a rank's primary link: its brother and its uncle, if they exist.
   */
  public int[] backups(int rank) {
    return IntStream.concat(brother(rank).stream(), uncle(rank).stream()).toArray();
  }

  /** Returns all ranks that a rank has a link to, ascending. */
  public int[] neighbours(int rank) {
    IntStream parent =
        rank == BinaryTree.ROOT ? IntStream.empty() : IntStream.of(tree().parent(rank));
    IntStream children =
        IntStream.range(0, tree().childCount(rank)).map(i -> tree().child(rank, i));
    IntStream family = IntStream.concat(parent, children);
    IntStream guards = IntStream.concat(Arrays.stream(backups(rank)), Arrays.stream(nephews(rank)));
    return IntStream.concat(family, guards).sorted().toArray();
  }
}
