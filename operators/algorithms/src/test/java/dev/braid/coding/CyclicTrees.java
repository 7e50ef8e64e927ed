package dev.braid.coding;

import dev.braid.topology.RegularTree;

/** Trees with the codes of the paper's analysis. */
public final class CyclicTrees {

  private CyclicTrees() {}

  /** Returns a tree with cyclic codes only, whose sums need exactly n − s answers. */
  public static CodeTree of(RegularTree tree, int stragglers) {
    return new CodeTree(tree, stragglers, CyclicCode::new);
  }
}
