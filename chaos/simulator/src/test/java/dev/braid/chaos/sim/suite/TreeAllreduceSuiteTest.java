package dev.braid.chaos.sim.suite;

import dev.braid.exchange.registry.ExchangeType;
import dev.braid.topology.BinaryTree;

class TreeAllreduceSuiteTest extends ExchangeSuite {

  TreeAllreduceSuiteTest() {
    super(ExchangeType.TREE::create);
  }

  /**
   * Returns the number of values: the vector once up, except from the root, and once down to each
   * child.
   */
  @Override
  double valuesSent(int rank, int ranks, int length) {
    int up = rank == BinaryTree.ROOT ? 0 : 1;
    return (double) length * (up + new BinaryTree(ranks).childCount(rank));
  }

  @Override
  double valuesSentTolerance(int length) {
    return 0;
  }
}
