package dev.braid.chaos.sim.suite;

import dev.braid.chaos.sim.FaultCounts.Response;
import dev.braid.exchange.fttree.BraidedTree;
import dev.braid.exchange.runner.ExchangeRunner;
import java.util.Set;

class BraidedTreeSuiteTest extends FaultSuite {

  private static final ExchangeSuite SOUND = new TreeAllreduceSuiteTest();

  BraidedTreeSuiteTest() {
    super(ExchangeRunner.bare(BraidedTree::new));
  }

  @Override
  public Set<Response> responses() {
    return Set.of(Response.RETRANSMITTED, Response.REROUTED);
  }

  @Override
  double valuesSent(int rank, int ranks, int length) {
    return SOUND.valuesSent(rank, ranks, length);
  }

  @Override
  double valuesSentTolerance(int length) {
    return SOUND.valuesSentTolerance(length);
  }
}
