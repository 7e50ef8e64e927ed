package dev.braid.chaos.sim.suite;

import dev.braid.exchange.allreduce.mesh.MeshAlgorithm;
import net.jqwik.api.Example;

class MeshOfOneRingSuiteTest extends MeshSuite {

  MeshOfOneRingSuiteTest() {
    super(MeshAlgorithm.ONE_RING);
  }

  /**
   * Both ranks of a link have taken the way around it, over all others, on which an answer takes
   * longer than from one question over the link to the next: the link is taken again.
   */
  @Example
  void aWayAroundThatTakesOverASecondIsLeftForTheLink() {
    checkpointsAtAnyMoment_changeNoBit(new Scenario(47, 1897, 26, 4, 11479));
  }
}
