package dev.braid.chaos.sim.suite;

import dev.braid.exchange.registry.ExchangeType;

class ReliableUncodedSuiteTest extends ReliableSuite {

  ReliableUncodedSuiteTest() {
    super(ExchangeType.UNCODED, new UncodedSuiteTest());
  }
}
