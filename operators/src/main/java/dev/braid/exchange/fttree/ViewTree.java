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
 * The tree that the members of a view make, as one rank sees it.
 *
 * <p>A <em>rank</em> is a worker's number, and stays; a <em>position</em> is a place in the tree,
 * and is another in each view: the member with the lowest rank has position 0 and is the root. The
 * tree is one of positions, and messages go to ranks; all that is asked here, and answered, is
 * ranks.
 *
 * <pre>
 *   of seven ranks, 1 is left out       position   0  1  2  3  4  5
 *                                       rank       0  2  3  4  5  6
 * </pre>
 *
 * <p>A rank that is left out has no position, no parent, no brother and no children.
 */
final class ViewTree {

  // Any way of two links is cheaper than one of three.
  private static final int DOWN_COST = 9;
  private static final int BACKUP_COST = 10;
  private static final int UP_COST = 11;

  private final View view;
  private final BackupTree positions;
  private final BinaryTree tree;

  /** The rank's own; negative if it is left out. */
  private final int position;

  /**
   * A view's tree.
   *
   * @param rank whose parent, brother and children it tells; a member of the view or not
   */
  ViewTree(View view, int rank) {
    this.view = view;
    this.positions = new BackupTree(view.size());
    this.tree = positions.tree();
    this.position = view.position(rank);
  }

  /** Whether the rank is in the view. */
  boolean isMember() {
    return position >= 0;
  }

  /** Whether the rank is the only one in the view. */
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

  /** Whether the rank is the second of its parent's two children. */
  boolean isSecondChild() {
    return hasParent() && tree.indexAtParent(position) == 1;
  }

  /** How many children the rank has: 0, 1 or 2. */
  int childCount() {
    return isMember() ? tree.childCount(position) : 0;
  }

  /** Child {@code index} of the rank, with {@code index < childCount()}. */
  int child(int index) {
    return view.rank(tree.child(position, index));
  }

  /** Whether another rank, of the view or not, is a child of the rank. */
  boolean isChild(int other) {
    return isMember() && isChild(view.position(other), position);
  }

  /** Which child of its parent another member is that is not the root: 0 or 1. */
  int indexAtParent(int other) {
    return tree.indexAtParent(view.position(other));
  }

  /** Of two positions, either of which may be that of a rank that is left out. */
  private boolean isChild(int child, int parent) {
    return child > BinaryTree.ROOT && tree.parent(child) == parent;
  }

  /**
   * What a way costs. Primary links are busy with data of their own, so of two ways up the one over
   * backups is better: through the uncle. On the way down, through the brother: he gets the same
   * sum, so it costs one message without values more, and no vector.
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
   * Whom the rank has a link to, ascending: in the tree of all ranks, whether they are members or
   * not, and in that of the members.
   *
   * @param ofAll those in the tree of all ranks
   */
  int[] neighbours(int[] ofAll) {
    IntStream ofMembers =
        isMember()
            ? Arrays.stream(positions.neighbours(position)).map(view::rank)
            : IntStream.empty();
    return IntStream.concat(Arrays.stream(ofAll), ofMembers).distinct().sorted().toArray();
  }

  /**
   * The configuration of a reduction over the members: of this one's position, among as many ranks
   * as are in the view, from the view's round on. A rank that is left out has a tree of its own, in
   * which nothing happens.
   */
  ExchangeConfig configByPosition(ExchangeConfig config) {
    return config.at(isMember() ? position : 0, isMember() ? view.size() : 1).after(view.round());
  }
}
