package dev.braid.chaos.sim;

import dev.braid.exchange.ExchangeType;

class ReliableRingSuiteTest extends ReliableSuite {

  ReliableRingSuiteTest() {
    super(ExchangeType.RING, new RingAllreduceSuiteTest());
  }
}
