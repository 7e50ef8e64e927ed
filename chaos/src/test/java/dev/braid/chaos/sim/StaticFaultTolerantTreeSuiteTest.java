package dev.braid.chaos.sim;

import dev.braid.exchange.LinkTimeout;
import java.time.Duration;

class StaticFaultTolerantTreeSuiteTest extends FaultSuite {

  StaticFaultTolerantTreeSuiteTest() {
    super(LinkTimeout.fixed(Duration.ofMillis(50))::faultTolerantTree);
  }
}
