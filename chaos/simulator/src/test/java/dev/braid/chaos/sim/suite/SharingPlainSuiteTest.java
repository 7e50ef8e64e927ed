package dev.braid.chaos.sim.suite;

import dev.braid.exchange.sharing.SharingMode;

class SharingPlainSuiteTest extends SharingSuite {

  SharingPlainSuiteTest() {
    super(SharingMode.PLAIN);
  }
}
