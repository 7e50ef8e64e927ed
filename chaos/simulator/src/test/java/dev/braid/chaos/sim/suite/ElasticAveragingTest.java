package dev.braid.chaos.sim.suite;

import static dev.braid.chaos.sim.random.Partings.isolate;
import static dev.braid.chaos.sim.random.Partings.partLeftSubtree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.fault.Effect;
import dev.braid.chaos.sim.FaultCounts.Response;
import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.check.AveragedBatches;
import dev.braid.chaos.sim.condition.ComputeTime;
import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.chaos.sim.condition.Seeds;
import dev.braid.chaos.sim.condition.SoundLinks;
import dev.braid.chaos.sim.random.Partings;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.averaging.AveragingDescriptor;
import dev.braid.exchange.averaging.AveragingDescriptor.Outer;
import dev.braid.exchange.averaging.AveragingDescriptor.Sums;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.registry.ExchangeType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * Tests averages that leave out unreachable ranks: others continue, a rank that rejoins keeps its
 * own moves, and the model is that of a plain loop over the batches that count.
 */
class ElasticAveragingTest implements Faulty {

  private static final long MILLIS = 1_000_000;
  private static final int BATCHES = 60;
  private static final double RATE = 0.5;
  private static final double MOMENTUM = 0.25;

  private final FaultTally tally = new FaultTally();

  @Override
  public FaultTally tally() {
    return tally;
  }

  @Override
  public Set<Effect> effects() {
    return Set.of(Effect.ISOLATED, Effect.CUT);
  }

  @Override
  public Set<Response> responses() {
    return Set.of(Response.RETRANSMITTED, Response.LEFT_OUT, Response.REJOINED);
  }

  /** A run and what its check has recorded. */
  private static final class Run {
    final int ranks;
    final long seed;
    final int interval;
    final boolean isOuter;
    final int length;
    final Gradients gradients;
    final List<AveragedBatches> checks = new ArrayList<>();

    Run(int ranks, long seed) {
      this.ranks = ranks;
      this.seed = seed;
      SplittableRandom random = Seeds.of(seed, -43);
      this.interval = 1 + random.nextInt(8);
      this.isOuter = random.nextBoolean();
      this.length = 1 + random.nextInt(40);
      this.gradients = Gradients.wholeNumbers(seed, length, Gradients.Samples.upTo(seed, 2));
    }

    ExchangeOptions options() {
      return ExchangeOptions.defaults(ranks)
          .with(AveragingDescriptor.SUMS, Sums.FT_TREE)
          .with(AveragingDescriptor.INTERVAL, interval)
          .with(AveragingDescriptor.OUTER, isOuter ? Outer.NESTEROV : Outer.NONE)
          .with(AveragingDescriptor.OUTER_RATE, RATE)
          .with(AveragingDescriptor.OUTER_MOMENTUM, MOMENTUM);
    }

    Simulation.Builder simulation() {
      return Simulation.of(ExchangeType.AVERAGING::create, ranks, length)
          .options(options())
          .chunkLength(1 + Seeds.of(seed, -44).nextInt(length))
          .rounds(BATCHES)
          .seed(seed)
          .links(linkSeed -> new SoundLinks(linkSeed, Partings.LINKS))
          .computeTime(ComputeTime.uniform(seed, 0, 100 * MILLIS))
          .gradients(gradients)
          .check(
              () -> {
                checks.add(new AveragedBatches(ranks));
                return checks.get(checks.size() - 1);
              })
          .maxEvents(3_000_000);
    }

    /** Runs a simulation; fails if a replica is not the model of a plain loop. */
    SimulationResult checked(Simulation simulation) {
      SimulationResult result = simulation.run();
      double[] expected =
          checks.get(0).expected(length, gradients, isOuter ? RATE : 1, isOuter ? MOMENTUM : 0);
      for (float[] replica : result.replicas()) {
        assertThat(replica).as("seed %d", seed).isEqualTo(result.replicas()[0]);
        for (int i = 0; i < length; i++) {
          assertThat((double) replica[i]).as("seed %d", seed).isCloseTo(expected[i], within(0.01));
        }
      }
      assertThat(result.unreleased()).as("slices not released").isZero();
      return result;
    }
  }

  @Property(tries = 60)
  void withoutFaults_everyBatchCounts(
      @ForAll @IntRange(min = 1, max = 15) int ranks, @ForAll long seed) {
    Run run = new Run(ranks, seed);
    SimulationResult result = run.checked(run.simulation().build());
    assertThat(sizes(result)).containsExactly(ranks);
    assertThat(run.checks.get(0).counted()).isEqualTo((long) ranks * BATCHES);
  }

  @UnderFaults
  @Example
  void anyRankIsolated_othersGoOn_andItRejoins() {
    for (int ranks : new int[] {2, 3, 7, 6}) {
      for (int rank = 0; rank < ranks; rank++) {
        Run run = new Run(ranks, rank);
        SimulationResult result =
            tally.add(run.checked(run.simulation().faults(isolate(rank, 1_000, 4_000)).build()));
        assertThat(sizes(result))
            .as("%d of %d", rank, ranks)
            .containsExactly(ranks, ranks - 1, ranks);
        assertThat(run.checks.get(0).counted()).isLessThan((long) ranks * BATCHES - 5);
      }
    }
  }

  @Example
  void parts_theLargerGoesOn() {
    for (int ranks : new int[] {2, 3, 7, 15}) {
      Run run = new Run(ranks, 5);
      SimulationResult result =
          run.checked(run.simulation().faults(partLeftSubtree(ranks, 500, 4_000)).build());
      assertThat(result.views().get(1).contains(0)).isTrue();
      assertThat(sizes(result)).last().isEqualTo(ranks);
    }
  }

  /** The rank's own moves are in one more average. */
  @Example
  void stillOutWhenOthersAreDone_rejoinsThen() {
    for (int seed = 0; seed < 8; seed++) {
      Run run = new Run(7, seed);
      SimulationResult result =
          run.checked(run.simulation().faults(isolate(2, 500, 60_000)).build());
      assertThat(sizes(result)).last().isEqualTo(7);
    }
  }

  @UnderFaults
  @Property(tries = 200)
  void anySchedule(@ForAll @IntRange(min = 2, max = 15) int ranks, @ForAll long seed) {
    Run run = new Run(ranks, seed);
    List<ChaosEvent> faults = Partings.random(seed, ranks, 5_000);
    tally.add(run.checked(run.simulation().faults(faults).build()));
  }

  @UnderFaults
  @Property(tries = 150)
  void anySchedule_withCheckpoints(
      @ForAll @IntRange(min = 2, max = 15) int ranks, @ForAll long seed) {
    List<ChaosEvent> faults = Partings.random(seed, ranks, 5_000);
    long events = new Run(ranks, seed).simulation().faults(faults).build().run().events();
    long[] moments = new SplittableRandom(seed).longs(6, 0, events).toArray();
    Run run = new Run(ranks, seed);
    SimulationResult result =
        run.checked(run.simulation().faults(faults).checkpointsAfterEvents(moments).build());
    tally.add(result);
    assertThat(result.pauses()).isPositive();
  }

  /** The unsent part of a move is kept, so the test compares replicas only. */
  @UnderFaults
  @Property(tries = 60)
  void compressed_anySchedule(@ForAll @IntRange(min = 2, max = 9) int ranks, @ForAll long seed) {
    String[] codecs = {"threshold:20%", "top-k:0.1", "int4", "bf16"};
    Run run = new Run(ranks, seed);
    ExchangeOptions options =
        run.options()
            .with(
                Compression.OPTION,
                Compression.of(codecs[Seeds.of(seed, -45).nextInt(codecs.length)]));
    SimulationResult result =
        tally.add(
            run.simulation()
                .options(options)
                .faults(Partings.random(seed, ranks, 5_000))
                .build()
                .run());
    for (float[] replica : result.replicas()) {
      assertThat(replica).isEqualTo(result.replicas()[0]);
    }
    assertThat(result.unreleased()).as("slices not released").isZero();
  }

  /** A rank is cut off every ten seconds, and back after five. */
  @Example
  void othersContinueAtTheirRate() {
    List<ChaosEvent> cuts = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      cuts.addAll(isolate(1 + i % 7, 5_000 + i * 10_000, 10_000 + i * 10_000));
    }
    double share = 1 - 0.5 / 8;
    for (int interval : new int[] {50, 200, 500}) {
      double calm = batchesPerSecond(interval, List.of());
      double cut = batchesPerSecond(interval, cuts);
      System.out.printf(
          "interval %d: %.1f batches/s, with cuts %.1f: %.3f of the others' share%n",
          interval, calm, cut, cut / (calm * share));
      assertThat(cut / (calm * share)).isGreaterThanOrEqualTo(0.95);
    }
  }

  /** Returns the batches per second of eight ranks that count. */
  private double batchesPerSecond(int interval, List<ChaosEvent> faults) {
    AveragedBatches batches = new AveragedBatches(8);
    Gradients gradients = Gradients.wholeNumbers(1, 64, (rank, round) -> 1);
    ExchangeOptions options =
        ExchangeOptions.defaults(8)
            .with(AveragingDescriptor.SUMS, Sums.FT_TREE)
            .with(AveragingDescriptor.INTERVAL, interval);
    SimulationResult result =
        Simulation.of(ExchangeType.AVERAGING::create, 8, 64)
            .options(options)
            .chunkLength(64)
            .bytesPerElement(25_000)
            .rounds(6_000)
            .seed(1)
            .links(linkSeed -> SoundLinks.uniform(500_000, 125e6))
            .computeTime(ComputeTime.uniform(1, 9 * MILLIS, 11 * MILLIS))
            .gradients(gradients)
            .check(() -> batches)
            .faults(faults)
            .build()
            .run();
    return batches.counted() * 1e9 / result.endNanos();
  }

  private static List<Integer> sizes(SimulationResult result) {
    return result.views().stream().map(View::size).toList();
  }
}
