package dev.braid.chaos.sim.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.chaos.event.Schedule.Faults;
import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.chaos.sim.condition.Seeds;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.allreduce.AveragingDescriptor;
import dev.braid.exchange.allreduce.AveragingDescriptor.Outer;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.runner.ExchangeFactory;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Tests averaging over all sizes, intervals, links and checkpoints: the model is that of a plain
 * loop of local SGD, and has the same bits at all ranks, whatever happens during the run.
 */
class ParameterAveragingSuiteTest implements Faulty {

  private static final long INTERVAL = -30;
  private static final long OUTER = -31;
  private static final double RATE = 0.5;
  private static final double MOMENTUM = 0.25;

  private final FaultTally tally = new FaultTally();

  @Override
  public FaultTally tally() {
    return tally;
  }

  @Provide
  Arbitrary<Scenario> scenarios() {
    return Scenario.arbitrary(24, 500, 12);
  }

  /** Every other scenario has an outer optimiser. */
  private static Outer outer(Scenario scenario) {
    return Seeds.of(scenario.seed(), OUTER).nextBoolean() ? Outer.NESTEROV : Outer.NONE;
  }

  private static int interval(Scenario scenario) {
    return 1 + Seeds.of(scenario.seed(), INTERVAL).nextInt(scenario.rounds() + 1);
  }

  @Property(tries = 100)
  void replicasEndAsTheMeansOfAPlainLoop(@ForAll("scenarios") Scenario scenario) {
    SimulationResult result = simulation(scenario, scenario.seed()).build().run();

    double[] expected = plainLoop(scenario);
    for (float[] replica : result.replicas()) {
      assertThat(replica).isEqualTo(result.replicas()[0]);
      for (int i = 0; i < expected.length; i++) {
        assertThat((double) replica[i]).isCloseTo(expected[i], within(0.01));
      }
    }
    assertThat(result.unreleased()).as("slices not released").isZero();
  }

  @Property(tries = 60)
  void timingNeverChangesABit(@ForAll("scenarios") Scenario scenario, @ForAll long otherTiming) {
    SimulationResult one = simulation(scenario, scenario.seed()).build().run();
    SimulationResult other = simulation(scenario, otherTiming).build().run();
    assertThat(other.replicas()).isDeepEqualTo(one.replicas());
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

  @UnderFaults
  @Property(tries = 130)
  void linksThatFail_changeNoBit(@ForAll("scenarios") Scenario scenario) {
    Assume.that(scenario.ranks() > 1);
    long seed = scenario.seed();
    SimulationResult undisturbed = simulation(scenario, seed).build().run();
    ExchangeFactory reliable = ExchangeType.AVERAGING::create;

    SimulationResult disturbed =
        tally.add(
            FaultRuns.under(Faults.PATH_LEFT, simulation(reliable, scenario, seed))
                .checkpointsAfterEvents(
                    Seeds.of(seed, 0).longs(3, 0, undisturbed.events()).toArray())
                .build()
                .run());

    assertThat(disturbed.replicas()).isDeepEqualTo(undisturbed.replicas());
    assertThat(disturbed.unreleased()).as("slices not released").isZero();
  }

  @Example
  void manyRanks() {
    Scenario.ofManyRanks(4)
        .forEach(
            scenario -> {
              replicasEndAsTheMeansOfAPlainLoop(scenario);
              checkpointsAtAnyMoment_changeNoBit(scenario);
            });
  }

  /** Ranks send nothing between two averages, and for each average as much as a tree. */
  @Example
  void sendsWhatATreeSendsEveryKRounds() {
    Scenario scenario = new Scenario(7, 100, 100, 12, 42);
    for (int interval : new int[] {1, 3, 5, 12, 100}) {
      SimulationResult result =
          simulation(scenario, 42)
              .options(ExchangeOptions.defaults(7).with(AveragingDescriptor.INTERVAL, interval))
              .build()
              .run();
      int averages = (12 + interval - 1) / interval;
      // A leaf sends its vector up; the root sends the mean to two children.
      assertThat(result.traffic().valuesSentBy(6)).isEqualTo(averages * 100L);
      assertThat(result.traffic().valuesSentBy(0)).isEqualTo(averages * 200L);
    }
  }

  private static Simulation.Builder simulation(Scenario scenario, long timingSeed) {
    return simulation(ExchangeType.AVERAGING::create, scenario, timingSeed);
  }

  private static Simulation.Builder simulation(
      ExchangeFactory exchange, Scenario scenario, long timingSeed) {
    return scenario
        .simulation(exchange, timingSeed)
        .options(
            ExchangeOptions.defaults(scenario.ranks())
                .with(AveragingDescriptor.INTERVAL, interval(scenario))
                .with(AveragingDescriptor.OUTER, outer(scenario))
                .with(AveragingDescriptor.OUTER_RATE, RATE)
                .with(AveragingDescriptor.OUTER_MOMENTUM, MOMENTUM))
        .check(() -> UpdateCheck.NONE);
  }

  private static double[] plainLoop(Scenario scenario) {
    double[][] replicas = new double[scenario.ranks()][scenario.length()];
    double[] base = new double[scenario.length()];
    double[] velocity = new double[scenario.length()];
    for (int round = 0; round < scenario.rounds(); round++) {
      for (int rank = 0; rank < scenario.ranks(); rank++) {
        var local = scenario.wholeNumbers().of(rank, round);
        for (int i = 0; local.samples() > 0 && i < scenario.length(); i++) {
          replicas[rank][i] -= (double) local.gradient()[i] / local.samples();
        }
      }
      if ((round + 1) % interval(scenario) == 0 || round + 1 == scenario.rounds()) {
        average(replicas);
        if (outer(scenario) == Outer.NESTEROV) {
          step(base, velocity, replicas);
        }
      }
    }
    return replicas[0];
  }

  /** Replaces the mean by an outer step from the last mean (DiLoCo, Algorithm 1). */
  private static void step(double[] base, double[] velocity, double[][] replicas) {
    for (int i = 0; i < base.length; i++) {
      double move = replicas[0][i] - base[i];
      velocity[i] = MOMENTUM * velocity[i] + move;
      base[i] += RATE * (move + MOMENTUM * velocity[i]);
      for (double[] replica : replicas) {
        replica[i] = base[i];
      }
    }
  }

  private static void average(double[][] replicas) {
    for (int i = 0; i < replicas[0].length; i++) {
      double sum = 0;
      for (double[] replica : replicas) {
        sum += replica[i];
      }
      for (double[] replica : replicas) {
        replica[i] = sum / replicas.length;
      }
    }
  }
}
