package dev.braid.chaos.sim.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.event.Schedule.Faults;
import dev.braid.chaos.sim.FaultCounts.Response;
import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.SimulationResult;
import dev.braid.exchange.runner.ExchangeFactory;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * Tests the guarantees of every exchange that survives link faults: under random faults that leave
 * a path, and after all of them have healed, every sum is right, all replicas are equal and nothing
 * is stuck. A failure prints the seed, from which everything else is drawn.
 */
abstract class FaultSuite extends ExchangeSuite implements Faulty {

  private final FaultRuns runs;
  private final FaultTally tally = new FaultTally();

  FaultSuite(ExchangeFactory exchange) {
    super(exchange);
    this.runs = new FaultRuns(exchange);
  }

  @Override
  public FaultTally tally() {
    return tally;
  }

  @Override
  public abstract Set<Response> responses();

  @UnderFaults
  @Property(tries = 150)
  void oneLinkCutAtATime(@ForAll @IntRange(min = 3, max = 31) int ranks, @ForAll long seed) {
    checkRun(ranks, seed, Faults.ONE_CUT);
  }

  @UnderFaults
  @Property(tries = 150)
  void anyLinksCut_withAPathLeft(
      @ForAll @IntRange(min = 2, max = 31) int ranks, @ForAll long seed) {
    checkRun(ranks, seed, Faults.PATH_LEFT);
  }

  @UnderFaults
  @Property(tries = 50)
  void faultsChangeNoBit(@ForAll @IntRange(min = 2, max = 31) int ranks, @ForAll long seed) {
    SimulationResult sound = runs.withReals(ranks, seed).build().run();
    SimulationResult faulty =
        tally.add(FaultRuns.under(Faults.PATH_LEFT, runs.withReals(ranks, seed)).build().run());
    assertThat(faulty.replicas()).isDeepEqualTo(sound.replicas());
  }

  @UnderFaults
  @Property(tries = 50)
  void checkpointsAmongFaults_changeNoBit(
      @ForAll @IntRange(min = 2, max = 31) int ranks, @ForAll long seed) {
    SimulationResult undisturbed = runs.run(ranks, seed, Faults.PATH_LEFT);
    long[] moments = new SplittableRandom(seed).longs(3, 0, undisturbed.events()).toArray();
    SimulationResult disturbed =
        tally.add(
            FaultRuns.under(Faults.PATH_LEFT, runs.simulation(ranks, seed))
                .checkpointsAfterEvents(moments)
                .build()
                .run());
    assertThat(disturbed.pauses()).isPositive();
    check(disturbed);
    assertThat(disturbed.replicas()).isDeepEqualTo(undisturbed.replicas());
  }

  @Override
  final Simulation.Builder counted(Scenario scenario) {
    return onFastLinks(super.counted(scenario), scenario.seed());
  }

  @UnderFaults
  @Example
  void manyRanks_linksCut_withAPathLeft() {
    for (int ranks : Scenario.MANY_RANKS) {
      for (int seed = 0; seed < 3; seed++) {
        checkRun(ranks, seed, Faults.PATH_LEFT);
      }
    }
  }

  final void checkRun(int ranks, long seed, Faults faults) {
    check(tally.add(runs.run(ranks, seed, faults)));
  }

  private static void check(SimulationResult result) {
    for (float[] replica : result.replicas()) {
      assertThat(replica).isEqualTo(result.replicas()[0]);
    }
  }
}
