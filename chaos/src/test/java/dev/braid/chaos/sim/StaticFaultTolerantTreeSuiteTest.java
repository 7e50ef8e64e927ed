package dev.braid.chaos.sim;

import dev.braid.exchange.LinkTimeout;
import java.time.Duration;

class StaticFaultTolerantTreeSuiteTest extends FaultSuite {

  private static final ExchangeSuite SOUND = new TreeAllreduceSuiteTest();

  StaticFaultTolerantTreeSuiteTest() {
    super(new LinkTimeout.Fixed(Duration.ofMillis(50))::faultTolerantTree);
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
