package dev.braid.chaos.sim.suite;

import dev.braid.exchange.registry.ExchangeType;

class ReliableTreeSuiteTest extends ReliableSuite {

  ReliableTreeSuiteTest() {
    super(ExchangeType.TREE, new TreeAllreduceSuiteTest());
  }
}
