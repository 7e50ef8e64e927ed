package dev.braid.chaos.sim;

import dev.braid.exchange.ExchangeType;

class ReliableRingSuiteTest extends FaultSuite {

  private static final ExchangeSuite SOUND = new RingAllreduceSuiteTest();

  ReliableRingSuiteTest() {
    super(FaultRuns.reliable(ExchangeType.RING));
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
