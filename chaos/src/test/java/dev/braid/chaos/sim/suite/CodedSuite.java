package dev.braid.chaos.sim.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.coding.CodeTree;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.registry.ExchangeType;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * Exchanges that decode, with codes whose sums have the same bits whoever straggles: of all sizes,
 * with and without faults of links.
 */
abstract class CodedSuite extends ExchangeSuite implements Faulty {

  private final ExchangeType exchange;
  private final FaultTally tally = new FaultTally();

  CodedSuite(ExchangeType exchange) {
    super(exchange::create);
    this.exchange = exchange;
  }

  /** Options with such a code for so many ranks. */
  abstract ExchangeOptions options(int ranks);

  final CodeTree codes(int ranks) {
    CodeTree codes = exchange.descriptor().codes(options(ranks), ranks).orElseThrow();
    assertThat(codes.isRepetition()).isTrue();
    return codes;
  }

  @Override
  Simulation.Builder prepared(Simulation.Builder simulation, int ranks) {
    return simulation.options(options(ranks));
  }

  @Override
  Gradients contributions(Gradients own, int ranks) {
    return CodedGradients.of(own, codes(ranks));
  }

  /** To each rank below once; and an answer, unless the sum came first. */
  @Override
  double valuesSent(int rank, int ranks, int length) {
    CodeTree codes = codes(ranks);
    int root = 0;
    int below = codes.childrenOf(rank).length;
    if (rank == root) {
      below += codes.childrenOf(-1).length - 1;
    }
    return length * (below + 0.5);
  }

  @Override
  double valuesSentTolerance(int length) {
    return 0.5 * length;
  }

  @Override
  final Simulation.Builder counted(Scenario scenario) {
    return onFastLinks(super.counted(scenario), scenario.seed());
  }

  @Override
  public FaultTally tally() {
    return tally;
  }

  @UnderFaults
  @Property(tries = 100)
  void faultsOfLinks_changeNoBit(
      @ForAll @IntRange(min = 2, max = 24) int ranks, @ForAll long seed) {
    FaultRuns.faultsChangeNoBit(() -> underFaults(ranks, seed), tally);
  }

  private Simulation.Builder underFaults(int ranks, long seed) {
    FaultRuns runs = new FaultRuns(exchange::create);
    Gradients own = runs.withReals(ranks, seed).build().gradients();
    return prepared(runs.withReals(ranks, seed), ranks)
        .rounds(12)
        .gradients(contributions(own, ranks))
        .check(() -> check(own, ranks, false));
  }
}
