package dev.braid.exchange.fttree;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.message.Route;
import dev.braid.exchange.participation.View;
import dev.braid.topology.BackupTree;
import dev.braid.topology.BinaryTree;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * The tree formed by the members of a view, as one rank sees it.
 *
 * <p>A <em>rank</em> is a worker's fixed number. A <em>position</em> is a place in the tree and
 * differs between views: the member with the lowest rank has position 0 and is the root. The tree
 * is defined on positions, but messages go to ranks; all arguments and results of this class are
 * ranks.
 *
 * <pre>
 *   seven ranks, rank 1 is excluded     position   0  1  2  3  4  5
 *                                       rank       0  2  3  4  5  6
 * </pre>
 *
 * <p>An excluded rank has no position, no parent, no brother and no children.
 */
final class ViewTree {

  // Any route of two links is cheaper than one of three.
  private static final int DOWN_COST = 9;
  private static final int BACKUP_COST = 10;
  private static final int UP_COST = 11;

  private final View view;
  private final BackupTree positions;
  private final BinaryTree tree;

  /** The rank's position; negative if it is excluded. */
  private final int position;

  /**
   * Creates the tree of a view.
   *
   * @param rank the rank to whose parent, brother and children queries refer; need not be a member
   *     of the view
   */
  ViewTree(View view, int rank) {
    this.view = view;
    this.positions = new BackupTree(view.size());
    this.tree = positions.tree();
    this.position = view.position(rank);
  }

  /** Returns whether the rank is in the view. */
  boolean isMember() {
    return position >= 0;
  }

  /** Returns whether the rank is the only one in the view. */
  boolean isAlone() {
    return isMember() && view.size() == 1;
  }

  boolean isRoot() {
    return position == BinaryTree.ROOT;
  }

  private boolean hasParent() {
    return position > BinaryTree.ROOT;
  }

  OptionalInt parent() {
    return hasParent() ? OptionalInt.of(view.rank(tree.parent(position))) : OptionalInt.empty();
  }

  OptionalInt brother() {
    OptionalInt brother = hasParent() ? positions.brother(position) : OptionalInt.empty();
    return brother.isPresent()
        ? OptionalInt.of(view.rank(brother.getAsInt()))
        : OptionalInt.empty();
  }

  /** Returns whether the rank is the second of its parent's two children. */
  boolean isSecondChild() {
    return hasParent() && tree.indexAtParent(position) == 1;
  }

  /** Returns the number of the rank's children: 0, 1 or 2. */
  int childCount() {
    return isMember() ? tree.childCount(position) : 0;
  }

  /** Returns a child of the rank, with {@code 0 <= index < childCount()}. */
  int child(int index) {
    return view.rank(tree.child(position, index));
  }

  /** Returns whether another rank, in the view or not, is a child of the rank. */
  boolean isChild(int other) {
    return isMember() && isChild(view.position(other), position);
  }

  /** Returns the index, 0 or 1, of another member among its parent's children; not for the root. */
  int indexAtParent(int other) {
    return tree.indexAtParent(view.position(other));
  }

  /** Returns whether a position is the child of another; either may be that of an excluded rank. */
  private boolean isChild(int child, int parent) {
    return child > BinaryTree.ROOT && tree.parent(child) == parent;
  }

  /**
   * Returns the cost of a route. Primary links are busy with their own data, so the best detour up
   * uses backup links: through the uncle. The best detour down is through the brother: it gets the
   * same sum anyway, so the detour costs one additional message without values, but no vector.
   */
  int cost(Route route) {
    int cost = 0;
    for (int i = 1; i < route.size(); i++) {
      cost += cost(view.position(route.rank(i - 1)), view.position(route.rank(i)));
    }
    return cost;
  }

  private int cost(int from, int to) {
    if (isChild(to, from)) {
      return DOWN_COST;
    }
    return isChild(from, to) ? UP_COST : BACKUP_COST;
  }

  /**
   * Returns the ranks to which the rank has a link, ascending: its neighbours in the tree of all
   * ranks, members or not, and those in the tree of the members.
   *
   * @param ofAll neighbours in the tree of all ranks
   */
  int[] neighbours(int[] ofAll) {
    IntStream ofMembers =
        isMember()
            ? Arrays.stream(positions.neighbours(position)).map(view::rank)
            : IntStream.empty();
    return IntStream.concat(Arrays.stream(ofAll), ofMembers).distinct().sorted().toArray();
  }

  /**
   * Returns the configuration of a reduction over the members: this rank's position as rank, the
   * size of the view as number of ranks, and the view's first round. An excluded rank gets a tree
   * of its own, which stays unused.
   */
  ExchangeConfig configByPosition(ExchangeConfig config) {
    return config.at(isMember() ? position : 0, isMember() ? view.size() : 1).after(view.round());
  }
}
