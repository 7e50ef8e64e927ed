package dev.braid.chaos.sim.suite;

import dev.braid.exchange.allreduce.mesh.MeshAlgorithm;

class MeshOfRowsSuiteTest extends MeshSuite {

  MeshOfRowsSuiteTest() {
    super(MeshAlgorithm.ROWS_THEN_COLUMNS);
  }
}
