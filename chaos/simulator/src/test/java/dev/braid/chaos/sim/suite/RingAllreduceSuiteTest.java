package dev.braid.chaos.sim.suite;

import dev.braid.exchange.registry.ExchangeType;

class RingAllreduceSuiteTest extends ExchangeSuite {

  RingAllreduceSuiteTest() {
    super(ExchangeType.RING::create);
  }

  @Override
  double valuesSent(int rank, int ranks, int length) {
    return 2.0 * (ranks - 1) / ranks * length;
  }

  /**
   * Returns the tolerance: two blocks stay at a rank, each within one element of length / ranks.
   */
  @Override
  double valuesSentTolerance(int length) {
    return 2;
  }
}
