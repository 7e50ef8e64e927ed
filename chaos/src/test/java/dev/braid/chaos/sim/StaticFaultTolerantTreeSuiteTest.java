package dev.braid.chaos.sim;

import dev.braid.exchange.LinkTimeout;
import java.time.Duration;

class StaticFaultTolerantTreeSuiteTest extends FaultSuite {

  StaticFaultTolerantTreeSuiteTest() {
    super(new LinkTimeout.Fixed(Duration.ofMillis(50))::faultTolerantTree);
  }
}
