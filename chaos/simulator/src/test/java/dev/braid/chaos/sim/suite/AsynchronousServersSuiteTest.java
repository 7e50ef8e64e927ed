package dev.braid.chaos.sim.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.event.Schedule.Faults;
import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Update;
import dev.braid.exchange.Update.GradientSum;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.server.Consistency;
import dev.braid.exchange.server.ServerOptions;
import dev.braid.vector.Range;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/**
 * Tests asynchronous parameter servers over all sizes, splits, links and checkpoints: each gradient
 * makes one step, no worker is beyond the bound, and at the end all have the servers' model.
 */
class AsynchronousServersSuiteTest implements Faulty {

  private static final long MILLIS = 1_000_000;

  private final FaultTally tally = new FaultTally();

  @Override
  public FaultTally tally() {
    return tally;
  }

  @Provide
  Arbitrary<Scenario> scenarios() {
    return Scenario.arbitrary(64, 500, 12);
  }

  @Property(tries = 200)
  void everyGradientIsSteppedOnce_andAllEndWithTheServersModel(
      @ForAll("scenarios") Scenario scenario, @ForAll boolean bounded) {
    check(scenario, simulation(scenario, bounded).build().run());
  }

  @Example
  void manyRanks() {
    Scenario.ofManyRanks(4)
        .forEach(
            scenario -> everyGradientIsSteppedOnce_andAllEndWithTheServersModel(scenario, true));
  }

  @Property(tries = 30)
  void sameSeed_sameBits(@ForAll("scenarios") Scenario scenario, @ForAll boolean bounded) {
    Simulation simulation =
        simulation(scenario, bounded)
            .gradients(scenario.reals())
            .check(() -> UpdateCheck.NONE)
            .build();
    SimulationResult first = simulation.run();
    SimulationResult second = simulation.run();

    assertThat(second.digest()).isEqualTo(first.digest());
    assertThat(second.replicas()).isDeepEqualTo(first.replicas());
  }

  @Property(tries = 100)
  void checkpointsAtAnyMoment_loseNothing(
      @ForAll("scenarios") Scenario scenario, @ForAll boolean bounded) {
    SimulationResult undisturbed = simulation(scenario, bounded).build().run();
    long[] moments =
        new SplittableRandom(scenario.seed()).longs(3, 0, undisturbed.events()).toArray();

    SimulationResult disturbed =
        simulation(scenario, bounded).checkpointsAfterEvents(moments).build().run();

    assertThat(disturbed.pauses()).isPositive();
    check(scenario, disturbed);
  }

  @UnderFaults
  @Property(tries = 100)
  void faultsOfLinks_loseNothing(
      @ForAll @IntRange(min = 2, max = 16) int ranks, @ForAll boolean bounded, @ForAll long seed) {
    Scenario scenario = new Scenario(ranks, 40, 11, 6, seed);
    SimulationResult faulty = tally.add(underFaults(scenario, bounded).build().run());
    check(scenario, faulty);

    SimulationResult saved =
        underFaults(scenario, bounded)
            .checkpointsAfterEvents(faulty.events() / 3, faulty.events() / 2)
            .build()
            .run();
    assertThat(saved.pauses() + saved.declined()).isPositive();
    check(scenario, saved);
  }

  private static Simulation.Builder underFaults(Scenario scenario, boolean bounded) {
    Simulation sound = simulation(scenario, bounded).build();
    return FaultRuns.under(
            Faults.ANY,
            simulation(scenario, bounded)
                .options(sound.options())
                .computeTime(FaultRuns.briefGradients(scenario.seed())))
        .maxEvents(20_000_000);
  }

  @Example
  void roundsWithoutASample_completeAndChangeNothing() {
    Scenario scenario = new Scenario(5, 10, 3, 3, 42);
    Gradients none = Gradients.wholeNumbers(1, 10, (rank, round) -> 0);
    SimulationResult result =
        simulation(scenario, true)
            .gradients(none)
            .check(() -> new SteppedOnce(ranges(scenario), 100))
            .build()
            .run();

    assertThat(result.rounds()).isEqualTo(3);
    assertThat(result.replicas()).isDeepEqualTo(new float[5][10]);
  }

  @Example
  void oneRank_sendsNothing() {
    Scenario scenario = new Scenario(1, 1_000, 7, 3, 42);
    SimulationResult result = simulation(scenario, true).build().run();
    assertThat(result.traffic().messagesSentBy(0)).isZero();
  }

  /** Without a bound, a slow worker delays no other; with a bound of 0, it delays all. */
  @Example
  void aSlowWorker_holdsTheOthersBack_onlyAtTheBound() {
    assertThat(gradientsOfOthersWhenTheSlowestHas(3, Consistency.ASYNC)).isEqualTo(3 * 12);
    assertThat(gradientsOfOthersWhenTheSlowestHas(3, Consistency.SSP)).isEqualTo(3 * 4);
  }

  private static int gradientsOfOthersWhenTheSlowestHas(int gradients, Consistency consistency) {
    int[] others = new int[1];
    int[] seen = new int[1];
    UpdateCheck counter =
        new UpdateCheck() {
          @Override
          public void contributing(int rank, Contribution contribution) {
            if (rank != 0) {
              others[0]++;
            } else if (contribution.round() == gradients) {
              seen[0] = others[0];
            }
          }
        };
    Simulation.of(ExchangeType.PS::create, 5, 50)
        .options(
            ExchangeOptions.defaults(5)
                .with(ExchangeOptions.STALENESS, 0)
                .with(new ServerOptions(1, consistency)))
        .rounds(12)
        .computeTime((rank, round) -> rank == 0 ? 1_000 * MILLIS : MILLIS)
        .check(() -> counter)
        .build()
        .run();
    return seen[0];
  }

  private static void check(Scenario scenario, SimulationResult result) {
    assertThat(result.rounds()).isEqualTo(scenario.rounds());
    assertThat(result.unreleased()).as("slices not released").isZero();
    ServedRanges.OfServers ranges = ranges(scenario);
    for (int rank = 0; rank < scenario.ranks(); rank++) {
      float[] replica = result.replicas()[rank];
      Range checked = rank < ranges.workers() ? Range.ofLength(scenario.length()) : ranges.of(rank);
      assertThat(Arrays.copyOfRange(replica, checked.start(), checked.end()))
          .isEqualTo(Arrays.copyOfRange(result.replicas()[0], checked.start(), checked.end()));
    }
  }

  /**
   * Returns one of three cases: every rank serves, one serves and computes nothing, or several do.
   */
  private static ServedRanges.OfServers ranges(Scenario scenario) {
    int ranks = scenario.ranks();
    SplittableRandom random = new SplittableRandom(scenario.seed());
    int dedicated =
        switch (random.nextInt(3)) {
          case 0 -> 0;
          case 1 -> Math.min(1, ranks - 1);
          default -> random.nextInt(ranks);
        };
    return new ServedRanges.OfServers(ranks, dedicated, scenario.length());
  }

  private static Simulation.Builder simulation(Scenario scenario, boolean bounded) {
    ServedRanges.OfServers ranges = ranges(scenario);
    Consistency consistency = bounded ? Consistency.SSP : Consistency.ASYNC;
    return scenario.asynchronous(
        ExchangeType.PS::create,
        ExchangeOptions.defaults(scenario.ranks())
            .with(ExchangeOptions.STALENESS, scenario.staleness())
            .with(new ServerOptions(ranges.dedicated(), consistency)),
        () -> new SteppedOnce(ranges, bounded ? scenario.staleness() : scenario.rounds()));
  }

  /**
   * Checks that computed = stepped whenever all ranks are quiet, at the right servers, and that no
   * worker is beyond the bound.
   */
  private static final class SteppedOnce implements UpdateCheck {

    private final ServedRanges.OfServers ranges;
    private final int bound;
    private final float[] computed;
    private final float[] stepped;
    private final long[] clocks;

    SteppedOnce(ServedRanges.OfServers ranges, int bound) {
      this.ranges = ranges;
      this.bound = bound;
      this.computed = new float[ranges.length()];
      this.stepped = new float[ranges.length()];
      this.clocks = new long[ranges.workers()];
    }

    @Override
    public void contributing(int rank, Contribution contribution) {
      long slowest = Arrays.stream(clocks).min().orElseThrow();
      if (contribution.round() > slowest + bound) {
        throw new IllegalStateException(
            "rank %d contributes to round %d while the slowest has computed %d gradients"
                .formatted(rank, contribution.round(), slowest));
      }
      clocks[rank] = contribution.round() + 1;
      for (int i = 0; i < computed.length; i++) {
        computed[i] += contribution.gradient()[i];
      }
    }

    @Override
    public void updated(int rank, long round, Update update) {
      if (update instanceof GradientSum sum) {
        ranges.check(rank, sum.range());
        if (sum.samples() != ranges.workers()) {
          throw new IllegalStateException(
              "a step over " + sum.samples() + " samples, not " + ranges.workers());
        }
        float[] values = sum.values().toArray();
        IntStream.range(0, values.length)
            .forEach(i -> stepped[sum.range().start() + i] += values[i]);
      }
    }

    @Override
    public void quiet() {
      int wrong = Arrays.mismatch(computed, stepped);
      if (wrong >= 0) {
        throw new IllegalStateException(
            "element %d: %s is stepped of %s".formatted(wrong, stepped[wrong], computed[wrong]));
      }
    }
  }
}
