package dev.braid.chaos.sim;

import dev.braid.exchange.LinkTimeout;

class BraidedTreeSuiteTest extends FaultSuite {

  BraidedTreeSuiteTest() {
    super(LinkTimeout.ADAPTIVE::faultTolerantTree);
  }
}
