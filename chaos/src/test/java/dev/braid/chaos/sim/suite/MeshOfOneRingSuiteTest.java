package dev.braid.chaos.sim.suite;

import dev.braid.exchange.allreduce.mesh.MeshAlgorithm;

class MeshOfOneRingSuiteTest extends MeshSuite {

  MeshOfOneRingSuiteTest() {
    super(MeshAlgorithm.ONE_RING);
  }
}
