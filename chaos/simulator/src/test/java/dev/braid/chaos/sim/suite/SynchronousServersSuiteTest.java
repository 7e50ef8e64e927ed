package dev.braid.chaos.sim.suite;

import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.server.Consistency;
import dev.braid.exchange.server.ServerOptions;

/** Tests synchronous parameter servers over all sizes and splits, with and without link faults. */
class SynchronousServersSuiteTest extends FaultyLinksSuite {

  SynchronousServersSuiteTest() {
    super(ExchangeType.PS);
  }

  /** Returns the number of dedicated servers: none, one, or half of the ranks. */
  private static int dedicated(int ranks) {
    return switch (ranks % 3) {
      case 0 -> 0;
      case 1 -> Math.min(1, ranks - 1);
      default -> ranks / 2;
    };
  }

  @Override
  Simulation.Builder prepared(Simulation.Builder simulation, int ranks) {
    return simulation.options(
        ExchangeOptions.defaults(ranks)
            .with(new ServerOptions(dedicated(ranks), Consistency.SYNC)));
  }

  @Override
  int workers(int ranks) {
    return ranks - dedicated(ranks);
  }

  @Override
  UpdateCheck check(Gradients gradients, int ranks, boolean exact) {
    int length = gradients.of(0, 0).gradient().length;
    // The order of the ranks is that of a plain loop: sums have its bits, exact or not.
    return new ServedSums(gradients, new ServedRanges.OfServers(ranks, dedicated(ranks), length));
  }

  /**
   * Returns the number of values: the range of each other server, and the range served here for
   * each other worker.
   */
  @Override
  double valuesSent(int rank, int ranks, int length) {
    ServedRanges ranges = new ServedRanges.OfServers(ranks, dedicated(ranks), length);
    int served = ranges.of(rank).length();
    boolean computes = rank < ranges.workers();
    double pushed = computes ? length - served : 0;
    return pushed + (double) served * (ranges.workers() - (computes ? 1 : 0));
  }

  @Override
  double valuesSentTolerance(int length) {
    return 0;
  }
}
