package dev.braid.chaos.sim;

import dev.braid.exchange.ExchangeType;

class ReliableTreeSuiteTest extends FaultSuite {

  private static final ExchangeSuite SOUND = new TreeAllreduceSuiteTest();

  ReliableTreeSuiteTest() {
    super(FaultRuns.reliable(ExchangeType.TREE));
  }

  @Override
  double valuesSent(int rank, int ranks, int length) {
    return SOUND.valuesSent(rank, ranks, length);
  }

  @Override
  double valuesSentTolerance() {
    return SOUND.valuesSentTolerance();
  }
}
