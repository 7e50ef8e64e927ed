package dev.braid.chaos.sim.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.event.Schedule.Faults;
import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.check.GradientDelivery;
import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.runner.ExchangeFactory;
import java.util.Arrays;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Tests the guarantees of every exchange in which ranks send their gradients to each other
 * asynchronously, for any number of ranks, length of the vector, links, compute times and staleness
 * bound. A subclass names the exchange and its documented properties.
 *
 * <p>Every run is checked, mostly by {@link GradientDelivery}: each gradient reaches each replica
 * exactly once, within the documented number of rounds, and computed = applied whenever all ranks
 * are quiet. A failure prints the scenario, whose seed repeats the run.
 */
abstract class AsynchronousExchangeSuite implements Faulty {

  private final ExchangeFactory exchange;
  private final FaultTally tally = new FaultTally();

  AsynchronousExchangeSuite(ExchangeFactory exchange) {
    this.exchange = exchange;
  }

  /** Returns the options in a scenario, with its staleness. */
  abstract ExchangeOptions options(Scenario scenario);

  /** Returns the maximum number of latest gradients that a message may leave out. */
  int roundsKept(Scenario scenario) {
    return 0;
  }

  /** Returns the number of rounds of its sender after which a gradient has reached all. */
  abstract int roundsUntilDelivered(Scenario scenario);

  /** Returns by how many gradients a rank may be ahead, in addition to the staleness τ. */
  abstract int roundsAhead(Scenario scenario);

  /** Returns the maximum number of values that a rank sends in a whole run. */
  abstract long valuesSentAtMost(Scenario scenario);

  @Override
  public FaultTally tally() {
    return tally;
  }

  @Provide
  Arbitrary<Scenario> scenarios() {
    return Scenario.arbitrary(16, 500, 12);
  }

  @Property(tries = 100)
  void everyGradientReachesEveryReplicaOnce(@ForAll("scenarios") Scenario scenario) {
    SimulationResult result = simulation(scenario).build().run();

    assertThat(result.rounds()).isEqualTo(scenario.rounds());
    assertThat(result.unreleased()).as("slices not released").isZero();
    for (int rank = 0; rank < scenario.ranks(); rank++) {
      assertThat(result.traffic().valuesSentBy(rank))
          .as("values sent by rank %d", rank)
          .isLessThanOrEqualTo(valuesSentAtMost(scenario));
    }
  }

  @Property(tries = 30)
  void sameSeed_sameBits(@ForAll("scenarios") Scenario scenario) {
    Simulation simulation =
        scenario
            .asynchronous(exchange, options(scenario), () -> UpdateCheck.NONE)
            .gradients(scenario.reals())
            .build();
    SimulationResult first = simulation.run();
    SimulationResult second = simulation.run();

    assertThat(second.digest()).isEqualTo(first.digest());
    assertThat(second.replicas()).isDeepEqualTo(first.replicas());
  }

  /** The check verifies that all is applied when the ranks are quiet, and continues after that. */
  @Property(tries = 60)
  void checkpointsAtAnyMoment_loseNothing(@ForAll("scenarios") Scenario scenario) {
    SimulationResult undisturbed = simulation(scenario).build().run();
    SplittableRandom random = new SplittableRandom(scenario.seed());
    long[] moments = random.longs(3, 0, undisturbed.events()).toArray();

    SimulationResult disturbed = simulation(scenario).checkpointsAfterEvents(moments).build().run();

    assertThat(disturbed.pauses()).isPositive();
    assertThat(disturbed.unreleased()).as("slices not released").isZero();
  }

  /** Cuts and losses only delay gradients: each counts once, in the guaranteed order. */
  @UnderFaults
  @Property(tries = 100)
  void linksThatFail_loseNothing(@ForAll("scenarios") Scenario scenario) {
    SimulationResult result = tally.add(amongFaults(scenario).build().run());

    assertThat(result.rounds()).isEqualTo(scenario.rounds());
    assertThat(result.unreleased()).as("slices not released").isZero();
  }

  @UnderFaults
  @Property(tries = 60)
  void checkpointsAmongFaults_loseNothing(@ForAll("scenarios") Scenario scenario) {
    SimulationResult undisturbed = amongFaults(scenario).build().run();
    long[] moments =
        new SplittableRandom(scenario.seed()).longs(3, 0, undisturbed.events()).toArray();

    SimulationResult disturbed =
        tally.add(amongFaults(scenario).checkpointsAfterEvents(moments).build().run());

    assertThat(disturbed.pauses() + disturbed.declined()).isPositive();
    assertThat(disturbed.rounds()).isEqualTo(scenario.rounds());
  }

  /** Ranks repeat the gradients after the last complete checkpoint, and each counts once. */
  @UnderFaults
  @Property(tries = 20)
  void crashesAmongFaults_loseNothing(@ForAll("scenarios") Scenario scenario) {
    long events = amongFaults(scenario).build().run().events();

    SimulationResult disturbed =
        tally.add(FaultRuns.crashing(amongFaults(scenario), events, scenario.seed()).build().run());

    assertThat(disturbed.crashes()).isPositive();
    assertThat(disturbed.rounds()).isEqualTo(scenario.rounds());
    assertThat(disturbed.unreleased()).as("slices not released").isZero();
  }

  /** At this moment all rounds are complete, and only late messages are still in flight. */
  @Property(tries = 10)
  void aCheckpointBeforeTheLastEvent_begins(@ForAll("scenarios") Scenario scenario) {
    long last = simulation(scenario).build().run().events() - 1;
    SimulationResult result = simulation(scenario).checkpointsAfterEvents(last).build().run();

    assertThat(result.pauses() + result.declined()).isEqualTo(1);
  }

  @Example
  void roundsWithoutASample_completeAndChangeNothing() {
    Scenario scenario = new Scenario(5, 10, 3, 3, 42);
    Gradients none = Gradients.wholeNumbers(1, 10, (rank, round) -> 0);
    SimulationResult result = simulation(scenario).gradients(none).build().run();

    assertThat(result.rounds()).isEqualTo(3);
    assertThat(result.replicas()).isDeepEqualTo(new float[5][10]);
  }

  @Example
  void moreRanksThanElements() {
    Scenario scenario = new Scenario(32, 1, 1, 40, 42);
    assertThat(simulation(scenario).build().run().rounds()).isEqualTo(40);
  }

  /** Each of many ranks sends to each other: few rounds, with short vectors. */
  @Example
  void manyRanks() {
    for (int ranks : Scenario.MANY_RANKS) {
      everyGradientReachesEveryReplicaOnce(new Scenario(ranks, 5, 5, 2, ranks));
    }
  }

  @UnderFaults
  @Example
  void manyRanks_linksThatFail_loseNothing() {
    Scenario scenario = new Scenario(65, 5, 5, 3, 42);
    linksThatFail_loseNothing(scenario);
    checkpointsAtAnyMoment_loseNothing(scenario);
  }

  @Example
  void oneRank_sendsNothing() {
    Scenario scenario = new Scenario(1, 1_000, 7, 3, 42);
    assertThat(simulation(scenario).build().run().traffic().messagesSentBy(0)).isZero();
  }

  /** A slow rank is behind by at most the bound: the others wait. */
  @Example
  void aSlowRank_holdsTheOthersBack_atTheBound() {
    Scenario scenario = new Scenario(4, 50, 50, 12, 42);
    long slow = 100_000_000;
    SimulationResult result =
        simulation(scenario)
            .gradients(Gradients.wholeNumbers(42, 50, (rank, round) -> 1))
            .computeTime((rank, round) -> rank == 2 ? slow : 1_000)
            .build()
            .run();
    assertThat(result.endNanos()).isGreaterThanOrEqualTo(12 * slow);
    assertThat(Arrays.stream(result.roundEndNanos()).distinct().count()).isEqualTo(12);
  }

  private Simulation.Builder amongFaults(Scenario scenario) {
    return FaultRuns.under(
        Faults.ANY,
        simulation(exchange, scenario).computeTime(FaultRuns.briefGradients(scenario.seed())));
  }

  final Simulation.Builder simulation(Scenario scenario) {
    return simulation(exchange, scenario);
  }

  private Simulation.Builder simulation(ExchangeFactory factory, Scenario scenario) {
    return scenario.asynchronous(factory, options(scenario), () -> check(scenario));
  }

  /** Returns the check of a run. */
  UpdateCheck check(Scenario scenario) {
    return new GradientDelivery(
        scenario.ranks(),
        scenario.length(),
        roundsKept(scenario),
        roundsUntilDelivered(scenario),
        mostAhead(scenario));
  }

  /**
   * Returns the maximum number of gradients by which a rank may be ahead when it begins another.
   */
  final long mostAhead(Scenario scenario) {
    return (long) roundsAhead(scenario) + options(scenario).get(ExchangeOptions.STALENESS);
  }
}
