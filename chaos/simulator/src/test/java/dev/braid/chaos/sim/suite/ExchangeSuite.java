package dev.braid.chaos.sim.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.Traffic;
import dev.braid.chaos.sim.check.ExactRoundSums;
import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.chaos.sim.condition.ComputeTime;
import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.chaos.sim.condition.SoundLinks;
import dev.braid.exchange.runner.ExchangeFactory;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Tests the guarantees of every synchronous exchange, for any number of ranks, length of the
 * vector, links and compute times. A subclass names the exchange and the number of values that it
 * sends.
 *
 * <p>A failure prints the scenario, whose seed repeats the run. Every run of the suite is also
 * checked by the simulation: nothing is stuck, every sum is right, no gradient is changed, no value
 * is used after its release.
 */
abstract class ExchangeSuite {

  private final ExchangeFactory exchange;

  ExchangeSuite(ExchangeFactory exchange) {
    this.exchange = exchange;
  }

  /** Returns the number of values that a rank sends in a round. */
  abstract double valuesSent(int rank, int ranks, int length);

  /** Sets the options that the exchange needs in a run of this many ranks. */
  Simulation.Builder prepared(Simulation.Builder simulation, int ranks) {
    return simulation;
  }

  /** Returns the contributions of ranks that have these gradients of their own samples. */
  Gradients contributions(Gradients own, int ranks) {
    return own;
  }

  /** Returns the number of ranks that compute, which have the model. */
  int workers(int ranks) {
    return ranks;
  }

  /** Returns the check of a run with these gradients, whose sums are exact in any order or not. */
  UpdateCheck check(Gradients gradients, int ranks, boolean exact) {
    return exact
        ? ExactRoundSums.exact(gradients, ranks)
        : ExactRoundSums.agreeing(gradients, ranks);
  }

  /** Returns the tolerance of {@link #valuesSent}. */
  abstract double valuesSentTolerance(int length);

  /** Returns the run in which the sent values are counted. */
  Simulation.Builder counted(Scenario scenario) {
    return simulation(scenario, scenario.seed());
  }

  /** Sets fast links and similar compute times: a slow rank could be taken for a failed one. */
  static Simulation.Builder onFastLinks(Simulation.Builder simulation, long seed) {
    return simulation
        .links(linkSeed -> SoundLinks.uniform(50_000, 1e9))
        .computeTime(ComputeTime.uniform(seed, 0, 20_000_000));
  }

  @Provide
  Arbitrary<Scenario> scenarios() {
    return Scenario.arbitrary();
  }

  @Property(tries = 200)
  void sumsAreExact_andReplicasEqual(@ForAll("scenarios") Scenario scenario) {
    SimulationResult result = simulation(scenario, scenario.seed()).build().run();

    assertThat(result.rounds()).isEqualTo(scenario.rounds());
    assertThat(result.unreleased()).as("slices not released").isZero();
    float[] reference = plainLoop(scenario);
    for (int rank = 0; rank < workers(scenario.ranks()); rank++) {
      assertThat(result.replicas()[rank]).isEqualTo(reference);
    }
  }

  @Property(tries = 30)
  void sameSeed_sameEvents(@ForAll("scenarios") Scenario scenario) {
    Simulation simulation = simulation(scenario, scenario.seed()).build();
    SimulationResult first = simulation.run();
    SimulationResult second = simulation.run();

    assertThat(second.digest()).isEqualTo(first.digest());
    assertThat(second.roundEndNanos()).isEqualTo(first.roundEndNanos());
    assertThat(second.replicas()).isDeepEqualTo(first.replicas());
  }

  @Property(tries = 60)
  void timingNeverChangesABit(
      @ForAll("scenarios") Scenario scenario, @ForAll long oneTiming, @ForAll long otherTiming) {
    SimulationResult one = runWithReals(scenario, oneTiming);
    SimulationResult other = runWithReals(scenario, otherTiming);

    for (int rank = 0; rank < workers(scenario.ranks()); rank++) {
      assertThat(one.replicas()[rank]).isEqualTo(one.replicas()[0]);
      assertThat(other.replicas()[rank]).isEqualTo(one.replicas()[0]);
    }
  }

  @Property(tries = 60)
  void checkpointsAtAnyMoment_changeNoBit(@ForAll("scenarios") Scenario scenario) {
    SimulationResult undisturbed = simulation(scenario, scenario.seed()).build().run();
    SplittableRandom random = new SplittableRandom(scenario.seed());
    long[] moments = random.longs(3, 0, undisturbed.events()).toArray();

    SimulationResult disturbed =
        simulation(scenario, scenario.seed()).checkpointsAfterEvents(moments).build().run();

    assertThat(disturbed.pauses()).isPositive();
    assertThat(disturbed.unreleased()).as("slices not released").isZero();
    assertThat(disturbed.replicas()).isDeepEqualTo(undisturbed.replicas());
  }

  /** Crashes occur among complete and aborted checkpoints, and before the first one. */
  @Property(tries = 20)
  void crashesAtAnyMoment_changeNoBit(@ForAll("scenarios") Scenario scenario) {
    long seed = scenario.seed();
    SimulationResult undisturbed = simulation(scenario, seed).build().run();

    SimulationResult disturbed =
        FaultRuns.crashing(simulation(scenario, seed), undisturbed.events(), seed).build().run();

    assertThat(disturbed.crashes()).isPositive();
    assertThat(disturbed.unreleased()).as("slices not released").isZero();
    assertThat(disturbed.replicas()).isDeepEqualTo(undisturbed.replicas());
  }

  @Property(tries = 60)
  void sendsWhatTheorySays(@ForAll("scenarios") Scenario scenario) {
    Traffic traffic = counted(scenario).build().run().traffic();

    for (int rank = 0; rank < scenario.ranks(); rank++) {
      double perRound = traffic.valuesSentBy(rank) / (double) scenario.rounds();
      double theory = valuesSent(rank, scenario.ranks(), scenario.length());
      assertThat(Math.abs(perRound - theory))
          .as("rank %d sends %s values a round, theory says %s", rank, perRound, theory)
          .isLessThanOrEqualTo(valuesSentTolerance(scenario.length()));
    }
  }

  @Example
  void roundsWithoutASample_completeAndChangeNothing() {
    int ranks = 5;
    Gradients none = Gradients.wholeNumbers(1, 10, (rank, round) -> 0);
    SimulationResult result =
        prepared(Simulation.of(exchange, ranks, 10), ranks)
            .chunkLength(3)
            .rounds(3)
            .gradients(contributions(none, ranks))
            .check(() -> check(none, ranks, true))
            .build()
            .run();

    assertThat(result.rounds()).isEqualTo(3);
    assertThat(result.replicas()).isDeepEqualTo(new float[ranks][10]);
  }

  @Example
  void moreRanksThanElements() {
    Scenario scenario = new Scenario(64, 1, 1, 3, 42);
    assertThat(simulation(scenario, scenario.seed()).build().run().rounds()).isEqualTo(3);
  }

  @Example
  void manyRanks() {
    Scenario.ofManyRanks(3)
        .forEach(
            scenario -> {
              sumsAreExact_andReplicasEqual(scenario);
              checkpointsAtAnyMoment_changeNoBit(scenario);
              sendsWhatTheorySays(scenario);
            });
  }

  @Example
  void oneRank_sendsNothing() {
    Scenario scenario = new Scenario(1, 1_000, 7, 3, 42);
    SimulationResult result = simulation(scenario, scenario.seed()).build().run();
    assertThat(result.traffic().messagesSentBy(0)).isZero();
    assertThat(result.replicas()[0]).isEqualTo(plainLoop(scenario));
  }

  final SimulationResult runWithReals(Scenario scenario, long timingSeed) {
    return simulation(scenario, timingSeed)
        .gradients(contributions(scenario.reals(), scenario.ranks()))
        .check(() -> check(scenario.reals(), scenario.ranks(), false))
        .build()
        .run();
  }

  final Simulation.Builder simulation(Scenario scenario, long timingSeed) {
    return prepared(scenario.simulation(exchange, timingSeed), scenario.ranks())
        .gradients(contributions(scenario.wholeNumbers(), scenario.ranks()))
        .check(() -> check(scenario.wholeNumbers(), scenario.ranks(), true));
  }

  /** Returns the result of the same training in a plain loop. */
  private float[] plainLoop(Scenario scenario) {
    Gradients gradients = scenario.wholeNumbers();
    float[] replica = new float[scenario.length()];
    for (int round = 0; round < scenario.rounds(); round++) {
      float[] sum = new float[scenario.length()];
      long samples = 0;
      for (int rank = 0; rank < workers(scenario.ranks()); rank++) {
        var contribution = gradients.of(rank, round);
        samples += contribution.samples();
        for (int i = 0; i < sum.length; i++) {
          sum[i] += contribution.gradient()[i];
        }
      }
      for (int i = 0; samples > 0 && i < sum.length; i++) {
        replica[i] -= sum[i] / samples;
      }
    }
    return replica;
  }
}
