package dev.braid.coding;

import dev.braid.topology.RegularTree;

/** Trees as the papers' analysis has them. */
public final class CyclicTrees {

  private CyclicTrees() {}

  /** One of cyclic codes only, whose sums take n − s answers, neither more nor fewer. */
  public static CodeTree of(RegularTree tree, int stragglers) {
    return new CodeTree(tree, stragglers, CyclicCode::new);
  }
}
