package dev.braid.chaos.sim.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.condition.CodedGradients;
import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.coding.CodeTree;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.registry.ExchangeType;

/**
 * Tests exchanges that decode, with codes whose sums have the same bits whichever ranks straggle:
 * of all sizes, with and without link faults.
 */
abstract class CodedSuite extends FaultyLinksSuite {

  private final ExchangeType exchange;

  CodedSuite(ExchangeType exchange) {
    super(exchange);
    this.exchange = exchange;
  }

  /** Returns options with such a code for this many ranks. */
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

  /**
   * Returns the number of values: the sum to each rank below, and an answer, unless the sum came
   * first.
   */
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

  /** Returns a run that is long enough for several late ranks. */
  @Override
  Simulation.Builder underFaults(int ranks, long seed) {
    return super.underFaults(ranks, seed).rounds(12);
  }
}
