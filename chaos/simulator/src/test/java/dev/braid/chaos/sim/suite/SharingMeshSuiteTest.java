package dev.braid.chaos.sim.suite;

import dev.braid.exchange.sharing.SharingMode;

class SharingMeshSuiteTest extends SharingSuite {

  SharingMeshSuiteTest() {
    super(SharingMode.MESH);
  }
}
