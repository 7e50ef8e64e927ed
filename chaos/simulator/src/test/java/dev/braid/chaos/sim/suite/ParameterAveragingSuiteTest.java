package dev.braid.chaos.sim.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.chaos.event.Schedule.Faults;
import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.chaos.sim.condition.Seeds;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.averaging.AveragingDescriptor;
import dev.braid.exchange.averaging.AveragingDescriptor.Outer;
import dev.braid.exchange.averaging.AveragingDescriptor.Sums;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.runner.ExchangeFactory;
import dev.braid.vector.Range;
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

  private static final long OPTIONS = -30;
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

  /**
   * Options of an averaging.
   *
   * @param outer whether there is an outer optimiser
   */
  private record Averaging(int interval, boolean outer, int fragments, int overlap) {

    static Averaging of(Scenario scenario) {
      SplittableRandom random = Seeds.of(scenario.seed(), OPTIONS);
      int interval = 1 + random.nextInt(scenario.rounds() + 1);
      int fragments = random.nextBoolean() ? 1 : 1 + random.nextInt(Math.min(interval, 5));
      int overlap = random.nextBoolean() ? 0 : random.nextInt(interval / fragments + 1);
      return new Averaging(interval, random.nextBoolean(), fragments, overlap);
    }

    ExchangeOptions options(int ranks) {
      return ExchangeOptions.defaults(ranks)
          .with(AveragingDescriptor.INTERVAL, interval)
          .with(AveragingDescriptor.OUTER, outer ? Outer.NESTEROV : Outer.NONE)
          .with(AveragingDescriptor.OUTER_RATE, RATE)
          .with(AveragingDescriptor.OUTER_MOMENTUM, MOMENTUM)
          .with(AveragingDescriptor.FRAGMENTS, fragments)
          .with(AveragingDescriptor.OVERLAP, overlap);
    }
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

  @UnderFaults
  @Property(tries = 60)
  void linksThatFail_changeNoBitInViews(@ForAll("scenarios") Scenario scenario) {
    Assume.that(scenario.ranks() > 1);
    Averaging drawn = Averaging.of(scenario);
    ExchangeOptions inViews =
        new Averaging(drawn.interval(), drawn.outer(), 1, 0)
            .options(scenario.ranks())
            .with(AveragingDescriptor.SUMS, Sums.FT_TREE);
    long seed = scenario.seed();
    SimulationResult undisturbed = simulation(scenario, seed).options(inViews).build().run();

    SimulationResult disturbed =
        tally.add(
            FaultRuns.under(Faults.PATH_LEFT, simulation(scenario, seed).options(inViews))
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
        .options(Averaging.of(scenario).options(scenario.ranks()))
        .check(() -> UpdateCheck.NONE);
  }

  private static double[] plainLoop(Scenario scenario) {
    PlainLoop loop = new PlainLoop(scenario);
    for (int round = 0; round < scenario.rounds(); round++) {
      loop.batches(round);
      loop.averages(round + 1);
    }
    loop.lastAverages();
    return loop.replicas[0];
  }

  /** Averaging without messages: Streaming DiLoCo (2025), Algorithm 2, where each rank waits. */
  private static final class PlainLoop {
    final Scenario scenario;
    final Averaging averaging;
    final int fragments;
    final double[][] replicas;
    final double[][] sent;
    final double[] base;
    final double[] velocity;
    int begun;
    int applied;
    int freshlyBegun;

    PlainLoop(Scenario scenario) {
      this.scenario = scenario;
      this.averaging = Averaging.of(scenario);
      this.fragments = Math.min(averaging.fragments(), scenario.length());
      this.replicas = new double[scenario.ranks()][scenario.length()];
      this.sent = new double[scenario.ranks()][scenario.length()];
      this.base = new double[scenario.length()];
      this.velocity = new double[scenario.length()];
    }

    void batches(int round) {
      for (int rank = 0; rank < scenario.ranks(); rank++) {
        var local = scenario.wholeNumbers().of(rank, round);
        for (int i = 0; local.samples() > 0 && i < scenario.length(); i++) {
          replicas[rank][i] -= (double) local.gradient()[i] / local.samples();
        }
      }
    }

    /** Begins and applies the averages for which it is time after some batches. */
    void averages(int batches) {
      freshlyBegun = 0;
      for (boolean isChanged = true; isChanged; ) {
        isChanged = false;
        if (applied < begun && beginning(applied) + averaging.overlap() == batches) {
          apply();
          isChanged = true;
        }
        if (applied == begun && beginning(begun) == batches) {
          begin();
          isChanged = true;
        }
      }
    }

    /** Returns after how many batches an average begins. */
    private int beginning(int average) {
      int period = average / fragments * averaging.interval();
      return period + (average % fragments + 1) * averaging.interval() / fragments;
    }

    void lastAverages() {
      if (applied < begun) {
        apply();
      }
      while (freshlyBegun < fragments) {
        begin();
        apply();
      }
    }

    private void begin() {
      for (int rank = 0; rank < replicas.length; rank++) {
        System.arraycopy(replicas[rank], 0, sent[rank], 0, base.length);
      }
      begun++;
      freshlyBegun++;
    }

    private void apply() {
      Range fragment = Range.ofLength(base.length).part(applied % fragments, fragments);
      for (int i = fragment.start(); i < fragment.end(); i++) {
        double move = 0;
        for (double[] each : sent) {
          move += (each[i] - base[i]) / sent.length;
        }
        velocity[i] = MOMENTUM * velocity[i] + move;
        base[i] += averaging.outer() ? RATE * (move + MOMENTUM * velocity[i]) : move;
        for (int rank = 0; rank < replicas.length; rank++) {
          replicas[rank][i] = base[i] + (replicas[rank][i] - sent[rank][i]);
        }
      }
      applied++;
    }
  }
}
