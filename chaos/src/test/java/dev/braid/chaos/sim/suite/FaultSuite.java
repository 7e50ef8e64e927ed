package dev.braid.chaos.sim.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.event.Schedule.Faults;
import dev.braid.chaos.sim.FaultCounts.Response;
import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.Traffic;
import dev.braid.chaos.sim.condition.ComputeTime;
import dev.braid.chaos.sim.condition.SoundLinks;
import dev.braid.exchange.ExchangeFactory;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * What every exchange must do that claims to survive link faults: under random faults that leave a
 * path, and after all of them have healed, every sum is right, all replicas are equal and nothing
 * is stuck. A failure prints the seed, from which all else is drawn.
 */
abstract class FaultSuite extends ExchangeSuite implements Faulty {

  private final ExchangeFactory exchange;
  private final FaultRuns runs;
  private final FaultTally tally = new FaultTally();

  FaultSuite(ExchangeFactory exchange) {
    super(exchange);
    this.exchange = exchange;
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

  /** On fast links, and with gradients that take alike: what is slow may be taken for failed. */
  @Override
  @Property(tries = 60)
  void sendsWhatTheorySays(@ForAll("scenarios") Scenario scenario) {
    Traffic traffic =
        scenario
            .simulation(exchange)
            .links(seed -> SoundLinks.uniform(50_000, 1e9))
            .computeTime(ComputeTime.uniform(scenario.seed(), 0, 20_000_000))
            .build()
            .run()
            .traffic();
    for (int rank = 0; rank < scenario.ranks(); rank++) {
      double perRound = traffic.valuesSentBy(rank) / (double) scenario.rounds();
      double theory = valuesSent(rank, scenario.ranks(), scenario.length());
      assertThat(Math.abs(perRound - theory))
          .as("rank %d sends %s values a round, theory says %s", rank, perRound, theory)
          .isLessThanOrEqualTo(valuesSentTolerance());
    }
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
