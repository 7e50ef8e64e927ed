package dev.braid.chaos.sim.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.event.Schedule.Faults;
import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.chaos.sim.condition.ComputeTime;
import dev.braid.chaos.sim.condition.SoundLinks;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.runner.ExchangeFactory;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Tests gossip over all sizes, links and checkpoints. */
class GossipGradSuiteTest implements Faulty {

  private static final long MILLIS = 1_000_000;

  private final FaultTally tally = new FaultTally();

  @Override
  public FaultTally tally() {
    return tally;
  }

  @Provide
  Arbitrary<Scenario> scenarios() {
    return Scenario.arbitrary(24, 500, 12);
  }

  @Property(tries = 100)
  void completesAndSendsOneVectorARound(@ForAll("scenarios") Scenario scenario) {
    SimulationResult result = simulation(scenario).build().run();

    assertThat(result.rounds()).isEqualTo(scenario.rounds());
    assertThat(result.unreleased()).as("slices not released").isZero();
    long values = scenario.ranks() == 1 ? 0 : (long) scenario.rounds() * scenario.length();
    for (int rank = 0; rank < scenario.ranks(); rank++) {
      assertThat(result.traffic().valuesSentBy(rank)).isEqualTo(values);
    }
  }

  @Property(tries = 30)
  void sameSeed_sameBits(@ForAll("scenarios") Scenario scenario) {
    Simulation simulation = simulation(scenario).gradients(scenario.reals()).build();
    assertThat(simulation.run().replicas()).isDeepEqualTo(simulation.run().replicas());
  }

  @Property(tries = 60)
  void checkpointsAtAnyMoment_areTaken(@ForAll("scenarios") Scenario scenario) {
    SplittableRandom random = new SplittableRandom(scenario.seed());
    long[] moments = random.longs(3, 0, simulation(scenario).build().run().events()).toArray();
    SimulationResult result = simulation(scenario).checkpointsAfterEvents(moments).build().run();

    assertThat(result.pauses()).isPositive();
    assertThat(result.unreleased()).as("slices not released").isZero();
  }

  @UnderFaults
  @Property(tries = 100)
  void linksThatFail_loseNoModel(@ForAll("scenarios") Scenario scenario) {
    SimulationResult result = tally.add(amongCheckpoints(scenario).run());

    assertThat(result.rounds()).isEqualTo(scenario.rounds());
    assertThat(result.unreleased()).as("slices not released").isZero();
  }

  @UnderFaults
  @Property(tries = 20)
  void crashesAmongFaults_areRecoveredFrom(@ForAll("scenarios") Scenario scenario) {
    long events = amongFaults(scenario).build().run().events();
    SimulationResult result =
        tally.add(
            FaultRuns.crashing(amongFaults(scenario), events, scenario.seed())
                .checkpointEveryNanos(1)
                .build()
                .run());

    assertThat(result.crashes()).isPositive();
    assertThat(result.rounds()).isEqualTo(scenario.rounds());
    assertThat(result.unreleased()).as("slices not released").isZero();
  }

  /**
   * Others have completed all their rounds without this rank when the checkpoint is taken from
   * which all resume: it must learn how far they are.
   */
  @Example
  void aRankThatWasAbsentAtACheckpointHearsHowFarOthersAre() {
    Scenario scenario = new Scenario(3, 24, 2, 6, -12501);
    assertThat(amongCheckpoints(scenario).run().rounds()).isEqualTo(scenario.rounds());
  }

  @Example
  void manyRanks() {
    Scenario.ofManyRanks(8)
        .forEach(
            scenario -> {
              completesAndSendsOneVectorARound(scenario);
              checkpointsAtAnyMoment_areTaken(scenario);
            });
  }

  private static Simulation amongCheckpoints(Scenario scenario) {
    long events = amongFaults(scenario).build().run().events();
    long[] moments = new SplittableRandom(scenario.seed()).longs(3, 0, events).toArray();
    return amongFaults(scenario).checkpointsAfterEvents(moments).build();
  }

  private static Simulation.Builder amongFaults(Scenario scenario) {
    return FaultRuns.under(Faults.ANY, simulation(ExchangeType.GOSSIP::create, scenario));
  }

  /** In round 0, rank i computes the i-th unit vector; later gradients are 0. */
  @Property(tries = 64)
  void whatOneRankComputesReachesAllInLogNSteps(@ForAll @IntRange(min = 1, max = 64) int ranks) {
    int steps = Integer.SIZE - Integer.numberOfLeadingZeros(ranks - 1);
    for (float[] replica : afterUnitVectors(ranks, Math.max(1, steps)).replicas()) {
      for (float weight : replica) {
        assertThat(weight).isNegative();
      }
    }
  }

  @Example
  void aPowerOfTwoOfRanksInStep_getsTheExactMean() {
    for (int ranks = 1; ranks <= 64; ranks *= 2) {
      int steps = Integer.numberOfTrailingZeros(ranks);
      for (float[] replica : afterUnitVectors(ranks, Math.max(1, steps)).replicas()) {
        assertThat(replica).containsOnly(-1f / ranks);
      }
    }
  }

  private static SimulationResult afterUnitVectors(int ranks, int rounds) {
    return Simulation.of(ExchangeType.GOSSIP::create, ranks, ranks)
        .rounds(rounds)
        .computeTime(ComputeTime.constant(10 * MILLIS))
        .links(seed -> SoundLinks.uniform(1_000, 1e12))
        .gradients(
            (rank, round) -> {
              float[] gradient = new float[ranks];
              gradient[rank] = round == 0 ? 1 : 0;
              return new Contribution(round, gradient, 1);
            })
        .build()
        .run();
  }

  private static Simulation.Builder simulation(Scenario scenario) {
    return simulation(ExchangeType.GOSSIP::create, scenario);
  }

  private static Simulation.Builder simulation(ExchangeFactory exchange, Scenario scenario) {
    return scenario.asynchronous(
        exchange,
        ExchangeOptions.defaults(scenario.ranks())
            .with(ExchangeOptions.STALENESS, scenario.staleness()),
        () -> UpdateCheck.NONE);
  }
}
