package dev.braid.chaos.sim;

import dev.braid.exchange.LinkTimeout;

class BraidedTreeSuiteTest extends FaultSuite {

  private static final ExchangeSuite SOUND = new TreeAllreduceSuiteTest();

  BraidedTreeSuiteTest() {
    super(LinkTimeout.ADAPTIVE::faultTolerantTree);
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
