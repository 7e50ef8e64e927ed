package dev.braid.chaos.sim.suite;

import static dev.braid.chaos.sim.random.Partings.isolate;
import static dev.braid.chaos.sim.random.Partings.partLeftSubtree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.fault.Effect;
import dev.braid.chaos.sim.FaultCounts.Response;
import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.check.ViewSums;
import dev.braid.chaos.sim.condition.ComputeTime;
import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.chaos.sim.condition.Seeds;
import dev.braid.chaos.sim.condition.SoundLinks;
import dev.braid.chaos.sim.condition.Stalls;
import dev.braid.chaos.sim.random.Partings;
import dev.braid.exchange.fttree.BraidedTree;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.runner.ExchangeRunner;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Tests unreachable ranks: others continue without them, and they catch up after they rejoin. */
class LeftOutRanksTest implements Faulty {

  private static final long MILLIS = 1_000_000;
  private static final int ROUNDS = 60;
  private static final int[] RANKS = {2, 3, 7, 15, 6};

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

  @Example
  void anyRankIsolated_othersGoOn_andItCatchesUp() {
    for (int ranks : RANKS) {
      for (int rank = 0; rank < ranks; rank++) {
        SimulationResult result = run(ranks, rank, isolate(rank, 1_000, 4_000));
        assertThat(sizes(result))
            .as("%d of %d", rank, ranks)
            .containsExactly(ranks, ranks - 1, ranks);
        View without = result.views().get(1);
        // With two ranks, the coordinator cannot know which of them is unreachable.
        assertThat(without.contains(rank)).isEqualTo(ranks == 2 && rank == 0);
        assertThat(result.views().get(2).round() - without.round()).isGreaterThan(5);
      }
    }
  }

  @Example
  void oneOfManyRanksIsolated_othersGoOn_andItCatchesUp() {
    for (int ranks : Scenario.MANY_RANKS) {
      SimulationResult result = run(ranks, ranks, isolate(ranks - 1, 1_000, 4_000));
      assertThat(sizes(result)).containsExactly(ranks, ranks - 1, ranks);
      assertThat(result.views().get(1).contains(ranks - 1)).isFalse();
    }
  }

  @Example
  void twoRanksIsolated_oneAfterTheOther() {
    for (int ranks : new int[] {3, 7, 15, 6}) {
      SimulationResult result = run(ranks, 11, isolateTwo(ranks - 2, ranks - 1));
      assertThat(result.views()).anyMatch(view -> view.size() == ranks - 2);
    }
  }

  @Example
  void bothChildrenOfTheRootIsolated_ofThePairsThatAreLeftTheFirstGoesOn() {
    SimulationResult result = run(7, 11, isolateTwo(1, 2));
    assertThat(result.views().get(1).members()).containsExactly(3, 4);
    assertThat(sizes(result)).last().isEqualTo(7);
  }

  /**
   * The parts are the root's left child with all ranks below it, and the others: as many, or one
   * more.
   */
  @Example
  void partsParted_theLargerGoesOn_ofEqualOnesThatWithRank0() {
    for (int ranks : RANKS) {
      SimulationResult result = run(ranks, 5, partLeftSubtree(ranks, 500, 4_000));
      View parted = result.views().get(1);
      assertThat(parted.contains(0)).isTrue();
      assertThat(parted.size()).isEqualTo(ranks == 2 ? 1 : (ranks + 1) / 2);
      assertThat(sizes(result)).last().isEqualTo(ranks);
    }
  }

  @Example
  void shortIsolation_leavesNobodyOut() {
    SimulationResult result = run(7, 3, isolate(3, 500, 1_200));
    assertThat(sizes(result)).containsExactly(7);
  }

  /** The rank answers neither the coordinator nor others: it is slow, not unreachable. */
  @Example
  void aRankThatStandsStill_isWaitedFor() {
    for (int ranks : RANKS) {
      for (int rank = 0; rank < ranks; rank++) {
        for (long millis : new long[] {800, 1_400, 1_700, 3_000, 20_000}) {
          Stalls stall = Stalls.once(rank, 1_000 * MILLIS, (1_000 + millis) * MILLIS);
          SimulationResult result = run(ranks, rank, List.of(), stall);
          assertThat(sizes(result))
              .as("rank %d of %d stands still for %d ms", rank, ranks, millis)
              .containsExactly(ranks);
          assertThat(result.endNanos()).isGreaterThan((1_000 + millis) * MILLIS);
        }
      }
    }
  }

  /** The rank answers the call, and then stalls for longer than others wait. */
  @Example
  void aRankThatStandsStillAgain_isWaitedFor() {
    for (int ranks : RANKS) {
      Stalls first = Stalls.once(ranks - 1, 1_000 * MILLIS, 3_000 * MILLIS);
      Stalls second = Stalls.once(ranks - 1, 3_000 * MILLIS + 1, 30_000 * MILLIS);
      Stalls both = (rank, nanos) -> second.doneNanos(rank, first.doneNanos(rank, nanos));
      assertThat(sizes(run(ranks, 3, List.of(), both))).containsExactly(ranks);
    }
  }

  /** Links are cut and ranks stall, for as long as others wait and much longer. */
  @UnderFaults
  @Property(tries = 200)
  void anySchedule_whileRanksStandStill(
      @ForAll @IntRange(min = 2, max = 15) int ranks, @ForAll long seed) {
    List<ChaosEvent> faults = Partings.random(seed, ranks, 5_000);
    tally.add(run(ranks, seed, faults, Stalls.random(seed, 4_000 * MILLIS, 2_000 * MILLIS)));
  }

  @Example
  void stillOutWhenOthersAreDone_getsTheFinalModel() {
    SimulationResult result = run(7, 4, isolate(2, 500, 60_000));
    View last = result.views().get(result.views().size() - 1);
    assertThat(last.round()).isEqualTo(ROUNDS);
    assertThat(last.size()).isEqualTo(7);
  }

  /** The excluded rank lacks only the sum of the last round. */
  @Example
  void leftOutInTheLastRound_getsTheFinalModel() {
    run(3, -91, Partings.random(-91, 3, 5_000));
    run(4, 223, Partings.random(223, 4, 5_000));
  }

  @UnderFaults
  @Property(tries = 300)
  void anySchedule(@ForAll @IntRange(min = 2, max = 15) int ranks, @ForAll long seed) {
    tally.add(run(ranks, seed, Partings.random(seed, ranks, 5_000)));
  }

  /**
   * Views change before, while and after ranks are held, and during gradients that take longer than
   * an exclusion and the rejoin.
   */
  @UnderFaults
  @Property(tries = 150)
  void anySchedule_withCheckpoints(
      @ForAll @IntRange(min = 2, max = 15) int ranks, @ForAll long seed) {
    List<ChaosEvent> faults = Partings.random(seed, ranks, 5_000);
    ComputeTime compute = computeTime(seed).withOutliers(seed, 0.03, 80);
    long events = run(ranks, seed, faults, Stalls.NONE, compute).events();
    long[] moments = new SplittableRandom(seed).longs(6, 0, events).toArray();
    SimulationResult result = run(ranks, seed, faults, Stalls.NONE, compute, moments);
    tally.add(result);
    assertThat(result.pauses()).isPositive();
  }

  /** With these seeds, one of two ranks is excluded, and some gradients take very long. */
  @UnderFaults
  @Example
  void aGradientThatComesAfterItsRankWasLeftOut() {
    for (long seed : new long[] {3, 6, 7, 10, 11, 12, 15, 16}) {
      anySchedule_withCheckpoints(2, seed);
    }
  }

  /**
   * Fails if a sum is wrong, if a replica differs from the one that follows from the views, or if
   * anything is stuck.
   */
  private static SimulationResult run(int ranks, long seed, List<ChaosEvent> faults) {
    return run(ranks, seed, faults, Stalls.NONE);
  }

  private static SimulationResult run(
      int ranks, long seed, List<ChaosEvent> faults, Stalls stalls) {
    return run(ranks, seed, faults, stalls, computeTime(seed));
  }

  private static SimulationResult run(
      int ranks,
      long seed,
      List<ChaosEvent> faults,
      Stalls stalls,
      ComputeTime computeTime,
      long... checkpoints) {
    SplittableRandom random = Seeds.of(seed, -41);
    int length = 1 + random.nextInt(60);
    Gradients gradients = Gradients.wholeNumbers(seed, length, Gradients.Samples.upTo(seed, 2));
    List<ViewSums> checks = new ArrayList<>();
    SimulationResult result =
        Simulation.of(ExchangeRunner.bare(BraidedTree::new), ranks, length)
            .chunkLength(1 + random.nextInt(length))
            .rounds(ROUNDS)
            .seed(seed)
            .links(linkSeed -> new SoundLinks(linkSeed, Partings.LINKS))
            .faults(faults)
            .stalls(stalls)
            .checkpointsAfterEvents(checkpoints)
            .computeTime(computeTime)
            .gradients(gradients)
            .check(
                () -> {
                  checks.add(new ViewSums(gradients, ranks));
                  return checks.get(checks.size() - 1);
                })
            .maxEvents(3_000_000)
            .build()
            .run();
    float[] expected = checks.get(0).expected(length);
    for (float[] replica : result.replicas()) {
      assertThat(replica).as("seed %d, %s", seed, faults).isEqualTo(expected);
    }
    assertThat(result.unreleased()).as("slices not released").isZero();
    return result;
  }

  private static ComputeTime computeTime(long seed) {
    return ComputeTime.uniform(seed, 0, 100 * MILLIS);
  }

  /** Returns events that isolate one rank, and soon the other, which is isolated for longer. */
  private static List<ChaosEvent> isolateTwo(int one, int other) {
    List<ChaosEvent> both = new ArrayList<>(isolate(one, 500, 3_500));
    both.addAll(isolate(other, 800, 5_500));
    return both;
  }

  private static List<Integer> sizes(SimulationResult result) {
    return result.views().stream().map(View::size).toList();
  }
}
