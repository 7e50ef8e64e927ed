package dev.braid.chaos.sim.suite;

import dev.braid.exchange.registry.ExchangeType;

class ReliableRingSuiteTest extends ReliableSuite {

  ReliableRingSuiteTest() {
    super(ExchangeType.RING, new RingAllreduceSuiteTest());
  }
}
