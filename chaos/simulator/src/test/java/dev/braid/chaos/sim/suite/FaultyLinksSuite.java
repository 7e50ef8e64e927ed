package dev.braid.chaos.sim.suite;

import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.exchange.registry.ExchangeType;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Tests a synchronous exchange whose bits do not depend on link faults. */
abstract class FaultyLinksSuite extends ExchangeSuite implements Faulty {

  private final ExchangeType exchange;
  private final FaultTally tally = new FaultTally();

  FaultyLinksSuite(ExchangeType exchange) {
    super(exchange::create);
    this.exchange = exchange;
  }

  @Override
  public final FaultTally tally() {
    return tally;
  }

  @UnderFaults
  @Property(tries = 100)
  void faultsOfLinks_changeNoBit(
      @ForAll @IntRange(min = 2, max = 24) int ranks, @ForAll long seed) {
    FaultRuns.faultsChangeNoBit(() -> underFaults(ranks, seed), tally);
  }

  /** Returns a run in which faults must have effects. */
  Simulation.Builder underFaults(int ranks, long seed) {
    FaultRuns runs = new FaultRuns(exchange::create);
    Gradients own = runs.withReals(ranks, seed).build().gradients();
    return prepared(runs.withReals(ranks, seed), ranks)
        .gradients(contributions(own, ranks))
        .check(() -> check(own, ranks, false));
  }
}
