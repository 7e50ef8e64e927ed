package dev.braid.coding;

import dev.braid.topology.RegularTree;

/**
 * A tree with a code at each parent (CodedReduce §III-A): the same n and s everywhere but where a
 * parent of the last layers has fewer children, who can bear one straggler fewer than they are.
 *
 * @param tree who is whose parent
 * @param stragglers s, whom a parent with n children does not wait for
 */
public record CodeTree(RegularTree tree, int stragglers) {

  public CodeTree {
    int most = Math.min(tree.children(), tree.workers()) - 1;
    if (stragglers < 0 || stragglers > most) {
      throw new IllegalArgumentException(
          "%d stragglers below each parent of %d: from 0 to %d are possible"
              .formatted(stragglers, most + 1, most));
    }
  }

  /** The code of a worker's children, or of the master's; there must be some. */
  public GradientCode codeOf(int parent) {
    int children = tree.childrenOf(parent).length;
    return GradientCode.of(children, Math.min(stragglers, children - 1));
  }

  /** Whether the sum at the master has the same bits whoever straggles. */
  public boolean isRepetition() {
    for (int parent = RegularTree.MASTER; parent < tree.workers(); parent++) {
      if (tree.childrenOf(parent).length > 0 && codeOf(parent) instanceof CyclicCode) {
        return false;
      }
    }
    return true;
  }

  /**
   * Which share of the samples a worker computes, r: 1 / Σ (n/(s+1))^l over the layers (Theorem 1,
   * eq. 5), which is the least possible. Where the last layer has gaps, that of the workers who
   * compute most, when each subtree spreads what it is handed as evenly as it can.
   */
  public double load() {
    return 1 / handedOut(RegularTree.MASTER);
  }

  /** How many shares of r the children of a parent are handed: each of them equally many. */
  private double handedOut(int parent) {
    int[] children = tree.childrenOf(parent);
    if (children.length == 0) {
      return 0;
    }
    double least = Double.POSITIVE_INFINITY;
    for (int child : children) {
      least = Math.min(least, 1 + handedOut(child));
    }
    GradientCode code = codeOf(parent);
    return least * code.parts() / code.partsOfEach();
  }
}
