package dev.braid.chaos.sim.suite;

import dev.braid.exchange.allreduce.mesh.MeshAlgorithm;
import net.jqwik.api.Example;

class MeshOfOneRingSuiteTest extends MeshSuite {

  MeshOfOneRingSuiteTest() {
    super(MeshAlgorithm.ONE_RING);
  }

  /**
   * Both ranks of a link have taken the route around it, over all others. An answer takes longer on
   * this route than the time between two probes of the link: the link is used again.
   */
  @Example
  void aWayAroundThatTakesOverASecondIsLeftForTheLink() {
    checkpointsAtAnyMoment_changeNoBit(new Scenario(47, 1897, 26, 4, 11479));
  }
}
