package dev.braid.chaos.sim.suite;

import dev.braid.chaos.sim.FaultCounts.Response;
import dev.braid.exchange.fttree.FaultTolerantTree;
import dev.braid.exchange.runner.ExchangeRunner;
import java.time.Duration;
import java.util.Set;

class StaticFaultTolerantTreeSuiteTest extends FaultSuite {

  private static final ExchangeSuite SOUND = new TreeAllreduceSuiteTest();

  StaticFaultTolerantTreeSuiteTest() {
    super(
        ExchangeRunner.bare(
            (config, port) ->
                new FaultTolerantTree(config, port, Duration.ofMillis(50).toNanos())));
  }

  @Override
  public Set<Response> responses() {
    return Set.of(Response.REROUTED);
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
