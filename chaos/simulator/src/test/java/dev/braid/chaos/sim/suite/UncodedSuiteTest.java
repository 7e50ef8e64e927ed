package dev.braid.chaos.sim.suite;

import dev.braid.exchange.registry.ExchangeType;

class UncodedSuiteTest extends ExchangeSuite {

  UncodedSuiteTest() {
    super(ExchangeType.UNCODED::create);
  }

  /** Returns the number of values: the gradient to the master, and the sum to all. */
  @Override
  double valuesSent(int rank, int ranks, int length) {
    return rank == 0 ? (double) length * (ranks - 1) : length;
  }

  @Override
  double valuesSentTolerance(int length) {
    return 0;
  }
}
