package dev.braid.exchange.coded;

import dev.braid.coding.CodeTree;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.topology.RegularTree;
import java.util.Arrays;
import java.util.TreeSet;

/**
 * The tree as one rank sees it. Worker i is rank i; the master, who computes nothing, lives at one
 * of them, the root, or at a rank of its own behind them. A root that is a worker, too, takes
 * answers in two roles, and may send itself one.
 *
 * <p>Sums go down the same tree, but that the root has them first: whoever is its parent as a
 * worker need not pass them on to it.
 */
final class CodedLayout {

  private final CodeTree codes;
  private final int root;
  private final int rank;
  private final int ranks;

  /** As one rank sees a tree. */
  static CodedLayout of(CodeTree codes, ExchangeConfig config) {
    return new CodedLayout(codes, root(config), config.rank(), config.ranks());
  }

  /** Where the master lives: at the last worker, where workers have been lost. */
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

  /** Whether this rank computes. */
  boolean isWorker() {
    return isWorker(rank);
  }

  private boolean isWorker(int other) {
    return other < codes.tree().workers();
  }

  /** Whether a rank's answers are for the master. */
  boolean isOfFirstLayer(int worker) {
    return isWorker(worker) && codes.tree().parent(worker) == RegularTree.MASTER;
  }

  /** Those who answer this rank as a worker. */
  int[] children() {
    return isWorker() ? codes.childrenOf(rank) : new int[0];
  }

  /** Those who answer the master. */
  int[] firstLayer() {
    return codes.childrenOf(RegularTree.MASTER);
  }

  /** Whom this rank answers, and from whom it has sums, unless it is the root. */
  int parent() {
    return isOfFirstLayer(rank) || !isWorker() ? root : codes.tree().parent(rank);
  }

  /** Whom this rank passes sums on to. */
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
   * Over whom messages may go around a link: those to whom the rank has links in the tree, and the
   * ranks beside it, so that there is another way if any one link is cut.
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
