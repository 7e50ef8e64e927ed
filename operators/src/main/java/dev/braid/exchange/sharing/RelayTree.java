package dev.braid.exchange.sharing;

import dev.braid.exchange.participation.View;
import dev.braid.topology.RegularTree;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The tree along which updates are relayed in a view. While all ranks are there it is a regular one
 * with rank 0, the master, as its root. In one of fewer ranks it is what that becomes when the
 * others fail, deepest first:
 *
 * <pre>
 *        0                    0            2 fails: of its children 5, 6 and 7, one is mapped
 *      / | \               / | \           to the master, and the others to that one
 *     1  2  3     ──▶     1  3  5
 *      / | \                   / \         0 fails: of its children, one becomes the master,
 *     5  6  7                 6   7        and the others are mapped to that one
 * </pre>
 *
 * <p>A rank that is back, and has no model yet, is a leaf below the master, whatever it was before:
 * no other waits for it, and the master has the model.
 */
final class RelayTree {

  private static final int NONE = -1;

  /** Of which some may fail together with the parent, and the others still hear each other. */
  private static final int NEAR_SIBLINGS = 2;

  private final int root;

  /** By rank; {@link #NONE} for the root, and for ranks that are not in it. */
  private final int[] parents;

  private RelayTree(int root, int[] parents) {
    this.root = root;
    this.parents = parents;
  }

  /**
   * The tree of a view.
   *
   * @param children how many a rank has at most while all are there
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

  /** The tree of all ranks. */
  static RelayTree whole(int ranks, int children) {
    int[] parents = new int[ranks];
    Arrays.fill(parents, NONE);
    if (ranks > 1) {
      RegularTree regular = new RegularTree(ranks - 1, Math.min(children, ranks - 1));
      // The master is rank 0, and lives at no other.
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

  /** The master. */
  int root() {
    return root;
  }

  /** The parent of a rank that is in the tree, and not its root. */
  int parent(int rank) {
    return parents[rank];
  }

  /** Ascending. */
  int[] children(int rank) {
    return IntStream.range(0, parents.length).filter(other -> parents[other] == rank).toArray();
  }

  /** All that a rank relays to, ascending. */
  int[] neighbours(int rank) {
    return IntStream.range(0, parents.length)
        .filter(other -> parents[other] == rank || parents[rank] == other)
        .toArray();
  }

  /**
   * Over whom a rank hears of others, and finds ways around links, ascending: its neighbours, its
   * nearest siblings, its parent's first one, and the master, who is linked to all. Not all
   * siblings: a search for a way floods all links.
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
   * Whether one is the first sibling of another's parent: which is who is mapped to the parent's
   * own parent, or becomes the master, where that and the parent fail together.
   */
  private boolean isUncle(int of, int other) {
    int parent = parents[of];
    if (parent == NONE || parents[parent] == NONE || parents[parent] != parents[other]) {
      return false;
    }
    int[] all = children(parents[parent]);
    return other == (all[0] == parent && all.length > 1 ? all[1] : all[0]);
  }

  /** Whether two are children of one rank, and next to each other, or next but one, in a ring. */
  private boolean areNearSiblings(int one, int other) {
    if (parents[one] == NONE || parents[one] != parents[other]) {
      return false;
    }
    int[] all = children(parents[one]);
    int apart = Math.abs(Arrays.binarySearch(all, one) - Arrays.binarySearch(all, other));
    return Math.min(apart, all.length - apart) <= NEAR_SIBLINGS;
  }

  /**
   * By rank: which neighbour of one is next on the way to it; −1 for that one itself, and for those
   * that are not in the tree.
   */
  int[] towards(int from) {
    int[] next = new int[parents.length];
    for (int rank = 0; rank < next.length; rank++) {
      next[rank] = isIn(rank) && rank != from ? towards(from, rank) : NONE;
    }
    return next;
  }

  /** Whether a rank is in the tree. */
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
