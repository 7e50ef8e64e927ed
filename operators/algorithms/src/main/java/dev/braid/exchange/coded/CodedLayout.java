package dev.braid.exchange.coded;

import dev.braid.coding.CodeTree;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.topology.RegularTree;
import java.util.Arrays;
import java.util.TreeSet;

/**
 * The tree as one rank sees it. Worker i is rank i. The master computes no gradient; it runs at the
 * root, which is the rank of a worker or a rank of its own after the workers. A root that is also a
 * worker receives answers in both roles, and may send an answer to itself.
 *
 * <p>Sums travel down the same tree, starting at the root. The root's parent in its role as a
 * worker therefore does not pass sums on to it.
 */
final class CodedLayout {

  private final CodeTree codes;
  private final int root;
  private final int rank;
  private final int ranks;

  /** Returns the layout of a tree for the rank in {@code config}. */
  static CodedLayout of(CodeTree codes, ExchangeConfig config) {
    return new CodedLayout(codes, root(config), config.rank(), config.ranks());
  }

  /**
   * Returns the rank at which the master runs. If workers have been lost and the chosen rank does
   * not exist, this is the last rank.
   */
  static int root(ExchangeConfig config) {
    int chosen = config.options().get(ExchangeOptions.ROOT);
    int last = config.ranks() - 1;
    return chosen == ExchangeOptions.DEDICATED ? last : Math.min(chosen, last);
  }

  CodedLayout(CodeTree codes, int root, int rank, int ranks) {
    this.codes = codes;
    this.root = root;
    this.rank = rank;
    this.ranks = ranks;
  }

  CodeTree codes() {
    return codes;
  }

  boolean isRoot() {
    return rank == root;
  }

  /** Returns whether this rank computes gradients. */
  boolean isWorker() {
    return isWorker(rank);
  }

  private boolean isWorker(int other) {
    return other < codes.tree().workers();
  }

  /** Returns whether the master is the parent of a rank, and receives its answers. */
  boolean isOfFirstLayer(int worker) {
    return isWorker(worker) && codes.tree().parent(worker) == RegularTree.MASTER;
  }

  /** Returns the ranks that answer this rank in its role as a worker, ascending. */
  int[] children() {
    return isWorker() ? codes.childrenOf(rank) : new int[0];
  }

  /** Returns the ranks that answer the master, ascending. */
  int[] firstLayer() {
    return codes.childrenOf(RegularTree.MASTER);
  }

  /**
   * Returns the rank that this rank answers, and that sends it sums unless this rank is the root.
   */
  int parent() {
    return isOfFirstLayer(rank) || !isWorker() ? root : codes.tree().parent(rank);
  }

  /** Returns the ranks that this rank passes sums on to, ascending. */
  int[] below() {
    TreeSet<Integer> below = new TreeSet<>();
    Arrays.stream(children()).forEach(below::add);
    if (isRoot()) {
      Arrays.stream(firstLayer()).forEach(below::add);
    }
    below.remove(root);
    return below.stream().mapToInt(Integer::intValue).toArray();
  }

  /**
   * Returns the ranks over which messages can be rerouted: those with a link to this rank in the
   * tree, and the two ranks numbered next to it. So there is another route if any single link is
   * cut.
   */
  int[] neighbours() {
    TreeSet<Integer> neighbours = new TreeSet<>();
    Arrays.stream(children()).forEach(neighbours::add);
    Arrays.stream(below()).forEach(neighbours::add);
    neighbours.add(parent());
    neighbours.add((rank + 1) % ranks);
    neighbours.add((rank + ranks - 1) % ranks);
    neighbours.remove(rank);
    return neighbours.stream().mapToInt(Integer::intValue).toArray();
  }
}
