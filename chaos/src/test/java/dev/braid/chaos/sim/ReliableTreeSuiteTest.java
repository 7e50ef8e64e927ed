package dev.braid.chaos.sim;

import dev.braid.exchange.ExchangeType;

class ReliableTreeSuiteTest extends ReliableSuite {

  ReliableTreeSuiteTest() {
    super(ExchangeType.TREE, new TreeAllreduceSuiteTest());
  }
}
