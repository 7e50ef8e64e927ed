package dev.braid.chaos.sim.suite;

import dev.braid.exchange.allreduce.mesh.MeshAlgorithm;

class MeshOfRowPairsSuiteTest extends MeshSuite {

  MeshOfRowPairsSuiteTest() {
    super(MeshAlgorithm.ROW_PAIRS);
  }
}
