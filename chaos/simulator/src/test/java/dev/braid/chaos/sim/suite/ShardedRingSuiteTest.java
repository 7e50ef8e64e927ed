package dev.braid.chaos.sim.suite;

import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.option.ShardedUpdates;
import dev.braid.exchange.registry.ExchangeType;

/** Tests a ring whose ranks take the step over a shard each, with and without link faults. */
class ShardedRingSuiteTest extends FaultyLinksSuite {

  ShardedRingSuiteTest() {
    super(ExchangeType.RING);
  }

  @Override
  Simulation.Builder prepared(Simulation.Builder simulation, int ranks) {
    return simulation.options(ExchangeOptions.defaults(ranks).with(ShardedUpdates.OPTION, true));
  }

  @Override
  UpdateCheck check(Gradients gradients, int ranks, boolean exact) {
    int length = gradients.of(0, 0).gradient().length;
    // The order is that of the ring: sums have its bits, exact or not.
    return new ServedSums(gradients, new ServedRanges.OfRing(ranks, length));
  }

  /** Returns as many values as if sums went around. */
  @Override
  double valuesSent(int rank, int ranks, int length) {
    return 2.0 * (ranks - 1) / ranks * length;
  }

  @Override
  double valuesSentTolerance(int length) {
    return 2;
  }
}
