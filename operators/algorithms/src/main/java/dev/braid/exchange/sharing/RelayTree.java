package dev.braid.exchange.sharing;

import dev.braid.exchange.participation.View;
import dev.braid.topology.RegularTree;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The tree along which updates are relayed in a view. With all ranks it is a regular tree whose
 * root is rank 0, the master. With fewer ranks it is the tree that results when the missing ranks
 * fail one after the other, deepest first:
 *
 * <pre>
 *        0                    0            2 fails: of its children 5, 6 and 7, one is mapped
 *      / | \               / | \           to the master, and the others to that one
 *     1  2  3     ──▶     1  3  5
 *      / | \                   / \         0 fails: of its children, one becomes the master,
 *     5  6  7                 6   7        and the others are mapped to that one
 * </pre>
 *
 * <p>A rank that rejoins and has no model yet is a leaf below the master, whatever its place was
 * before: no other rank waits for it, and the master has the model.
 */
final class RelayTree {

  private static final int NONE = -1;

  /**
   * Maximum distance of near siblings. Even if some of them fail together with the parent, the
   * others still hear each other.
   */
  private static final int NEAR_SIBLINGS = 2;

  private final int root;

  /** By rank: its parent; {@link #NONE} for the root and for ranks that are not in the tree. */
  private final int[] parents;

  private RelayTree(int root, int[] parents) {
    this.root = root;
    this.parents = parents;
  }

  /**
   * Returns the tree of a view.
   *
   * @param ranks number of ranks, including those that are not in the view
   * @param children maximum number of children of a rank in the tree of all ranks
   */
  static RelayTree of(View view, int ranks, int children) {
    RelayTree tree = whole(ranks, children);
    Comparator<Integer> deepestFirst = Comparator.comparing(tree::depth, Comparator.reverseOrder());
    List<Integer> failed =
        IntStream.range(0, ranks)
            .filter(rank -> !view.current().contains(rank))
            .boxed()
            .sorted(deepestFirst.thenComparing(Comparator.naturalOrder()))
            .toList();
    for (int rank : failed) {
      tree = tree.without(rank);
    }
    for (int rank : view.members()) {
      if (!view.current().contains(rank)) {
        tree.parents[rank] = tree.root;
      }
    }
    return tree;
  }

  /** Returns the tree of all ranks. */
  static RelayTree whole(int ranks, int children) {
    int[] parents = new int[ranks];
    Arrays.fill(parents, NONE);
    if (ranks > 1) {
      RegularTree regular = new RegularTree(ranks - 1, Math.min(children, ranks - 1));
      // Here the master is rank 0; in a regular tree it has no number of its own.
      for (int rank = 1; rank < ranks; rank++) {
        int parent = regular.parent(rank - 1);
        parents[rank] = parent == RegularTree.MASTER ? 0 : parent + 1;
      }
    }
    return new RelayTree(0, parents);
  }

  private RelayTree without(int rank) {
    int[] orphans = children(rank);
    int[] mapped = parents.clone();
    mapped[rank] = NONE;
    if (orphans.length == 0) {
      return new RelayTree(root, mapped);
    }
    int heir = orphans[0];
    for (int orphan : orphans) {
      mapped[orphan] = heir;
    }
    mapped[heir] = rank == root ? NONE : root;
    return new RelayTree(rank == root ? heir : root, mapped);
  }

  private int depth(int rank) {
    int depth = 0;
    for (int at = rank; at != root; at = parents[at]) {
      depth++;
    }
    return depth;
  }

  /** Returns the master. */
  int root() {
    return root;
  }

  /** Returns the parent of a rank that is in the tree and not its root. */
  int parent(int rank) {
    return parents[rank];
  }

  /** Returns the children of a rank, ascending. */
  int[] children(int rank) {
    return IntStream.range(0, parents.length).filter(other -> parents[other] == rank).toArray();
  }

  /** Returns the ranks that a rank relays to, ascending. */
  int[] neighbours(int rank) {
    return IntStream.range(0, parents.length)
        .filter(other -> parents[other] == rank || parents[rank] == other)
        .toArray();
  }

  /**
   * Returns the ranks over which a rank hears of others and finds routes around links, ascending:
   * its neighbours, its nearest siblings, its parent's first sibling, the ranks whose parent's
   * first sibling it is, and the master, which is linked to all. Not all siblings are included,
   * because a search for a route floods all links.
   */
  int[] linked(int rank) {
    return IntStream.range(0, parents.length)
        .filter(other -> other != rank)
        .filter(
            other ->
                rank == root
                    || other == root
                    || parents[other] == rank
                    || parents[rank] == other
                    || areNearSiblings(rank, other)
                    || isUncle(rank, other)
                    || isUncle(other, rank))
        .toArray();
  }

  /**
   * Returns whether a rank is the first sibling of another rank's parent. If the parent and the
   * grandparent fail together, that sibling is mapped to the grandparent's parent or becomes the
   * master.
   */
  private boolean isUncle(int of, int other) {
    int parent = parents[of];
    if (parent == NONE || parents[parent] == NONE || parents[parent] != parents[other]) {
      return false;
    }
    int[] all = children(parents[parent]);
    return other == (all[0] == parent && all.length > 1 ? all[1] : all[0]);
  }

  /**
   * Returns whether two ranks have the same parent and are at most {@link #NEAR_SIBLINGS} places
   * apart in the ring of its children.
   */
  private boolean areNearSiblings(int one, int other) {
    if (parents[one] == NONE || parents[one] != parents[other]) {
      return false;
    }
    int[] all = children(parents[one]);
    int apart = Math.abs(Arrays.binarySearch(all, one) - Arrays.binarySearch(all, other));
    return Math.min(apart, all.length - apart) <= NEAR_SIBLINGS;
  }

  /**
   * Returns by rank the neighbour of {@code from} that is next on the way to it; −1 for {@code
   * from} itself and for ranks that are not in the tree.
   */
  int[] towards(int from) {
    int[] next = new int[parents.length];
    for (int rank = 0; rank < next.length; rank++) {
      next[rank] = isIn(rank) && rank != from ? towards(from, rank) : NONE;
    }
    return next;
  }

  /** Returns whether a rank is in the tree. */
  boolean isIn(int rank) {
    return rank == root || parents[rank] != NONE;
  }

  private int towards(int from, int rank) {
    for (int at = rank; at != root; at = parents[at]) {
      if (parents[at] == from) {
        return at;
      }
    }
    return parents[from];
  }

  @Override
  public String toString() {
    return "tree of root " + root + ", parents " + Arrays.toString(parents);
  }
}
