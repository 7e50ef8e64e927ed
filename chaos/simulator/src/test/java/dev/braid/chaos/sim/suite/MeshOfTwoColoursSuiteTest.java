package dev.braid.chaos.sim.suite;

import dev.braid.exchange.allreduce.mesh.MeshAlgorithm;

class MeshOfTwoColoursSuiteTest extends MeshSuite {

  MeshOfTwoColoursSuiteTest() {
    super(MeshAlgorithm.TWO_COLOURS);
  }
}
