package dev.braid.chaos.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.sim.LinkFault.Effect;
import dev.braid.exchange.ExchangeType;
import dev.braid.exchange.LinkTimeout;
import dev.braid.topology.BackupTree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Link failures that have names: what a round costs, and what goes over which link. */
class LinkFailureScenariosTest {

  private static final int LENGTH = 407_050;
  private static final int CHUNK_LENGTH = 60_000;
  private static final int ROUNDS = 8;
  private static final long MILLIS = 1_000_000;
  private static final Duration TIMEOUT = Duration.ofMillis(500);
  private static final long FOREVER = Long.MAX_VALUE;

  private static final ExchangeFactory TREE = ExchangeType.TREE::create;
  private static final ExchangeFactory STATIC = new LinkTimeout.Fixed(TIMEOUT)::faultTolerantTree;
  private static final ExchangeFactory ADAPTIVE = LinkTimeout.ADAPTIVE::faultTolerantTree;

  private static final long FAULT_FREE_NANOS = faultFreeRound(7);

  /** In the midst of the third round of a run without faults. */
  private static final long IN_ROUND_2 = 2 * FAULT_FREE_NANOS + FAULT_FREE_NANOS / 2;

  @Test
  void noFault_bothCostLittleMoreThanTheTree() {
    for (int ranks : new int[] {7, 15, 31}) {
      double tree = faultFreeRound(ranks);
      assertThat(run(STATIC, ranks, List.of()).roundNanos(4) / tree).isLessThan(1.1);
      assertThat(run(ADAPTIVE, ranks, List.of()).roundNanos(4) / tree).isLessThan(1.1);
    }
  }

  /** Tables 1 and 2: one time-out on the way up, one on the way down, and again in every round. */
  @Test
  void linkCutForGood_staticTimeouts_everyRoundCostsTwoTimeouts() {
    SimulationResult result = run(STATIC, 7, cut(1, 3, 0, FOREVER));
    for (int round = 1; round < ROUNDS; round++) {
      assertThat(extraMillis(result, round)).isBetween(1_000L, 1_100L);
    }
  }

  @Test
  void twoLinksOfOneLevelCut_staticTimeouts_costAsMuchAsOne() {
    SimulationResult result = run(STATIC, 7, cut(1, 3, 0, FOREVER), cut(2, 5, 0, FOREVER));
    assertThat(extraMillis(result, 4)).isBetween(1_000L, 1_100L);
  }

  @Test
  void twoLinksOfConsecutiveLevelsCut_staticTimeouts_costTwiceAsMuch() {
    SimulationResult result = run(STATIC, 7, cut(1, 3, 0, FOREVER), cut(0, 1, 0, FOREVER));
    assertThat(extraMillis(result, 4)).isBetween(2_000L, 2_200L);
  }

  /** The root's children have no uncle: the way around shares a primary link. */
  @Test
  void linkCutForGood_adaptive_thatRoundCostsLessThan100Millis_andLaterOnesLittle() {
    for (int child = 1; child < 7; child++) {
      SimulationResult result = run(ADAPTIVE, 7, cut((child - 1) / 2, child, IN_ROUND_2, FOREVER));
      assertThat(extraMillis(result, 2)).isLessThan(100);
      for (int round = 3; round < ROUNDS; round++) {
        assertThat(result.roundNanos(round) / (double) FAULT_FREE_NANOS)
            .as("link above %d, round %d", child, round)
            .isLessThan(child <= 2 ? 1.5 : 1.15);
      }
    }
  }

  @Test
  void linkHeals_adaptive_dataGoesOverItAgain() {
    long heals = IN_ROUND_2 + 60 * MILLIS;
    SimulationResult longAfter =
        simulation(ADAPTIVE, 7, cut(1, 3, IN_ROUND_2, heals)).rounds(40).build().run();
    SimulationResult never =
        simulation(ADAPTIVE, 7, cut(1, 3, IN_ROUND_2, FOREVER)).rounds(40).build().run();
    assertThat(longAfter.traffic().bytes(3, 1)).isGreaterThan(20L * LENGTH * Float.BYTES);
    assertThat(never.traffic().bytes(3, 1)).isLessThan(4L * LENGTH * Float.BYTES);
  }

  /** A way of four links: 3, its nephew 9, its brother 4, its parent 1. */
  @Test
  void rankThatOnlyItsNephewReaches_adaptive_isStillInEverySum() {
    List<LinkFault> all = new ArrayList<>();
    for (int neighbour : new BackupTree(15).neighbours(3)) {
      if (neighbour != 9) {
        all.addAll(cut(3, neighbour, IN_ROUND_2, FOREVER));
      }
    }
    SimulationResult result = run(ADAPTIVE, 15, all);
    assertThat(result.rounds()).isEqualTo(ROUNDS);
    assertThat(result.replicas()[3]).isEqualTo(result.replicas()[0]);
  }

  @Test
  void threeRanks_withNothingLeftButOneCircleOfOneWayLinks_adaptive_goOn() {
    SimulationResult result =
        run(
            ADAPTIVE,
            3,
            List.of(
                new LinkFault(0, 1, 0, FOREVER, new Effect.Cut()),
                new LinkFault(1, 2, 0, FOREVER, new Effect.Cut()),
                new LinkFault(2, 0, 0, FOREVER, new Effect.Cut())));
    assertThat(result.rounds()).isEqualTo(ROUNDS);
  }

  /** Eight chunks are outstanding at most; what is asked on a dead link is small. */
  @Test
  void deadLink_adaptive_takesNoMoreThanItsBound() {
    long dies = IN_ROUND_2 + 30 * MILLIS;
    long dead = bytes(3, 1, dies, FOREVER);
    long bound = 8L * CHUNK_LENGTH * Float.BYTES;
    assertThat(dead).isLessThan(bound + 100_000);
  }

  /** What goes into a link while it is cut. */
  private static long bytes(int from, int to, long begin, long end) {
    long[] sum = new long[1];
    LinkModel faulty =
        new FaultyLinks(SoundLinks.uniform(50_000, 1e9), 1, cut(from, to, begin, end));
    simulation(ADAPTIVE, 7, List.of())
        .rounds(100)
        .links(
            seed ->
                (message, bytes, now, arriveAt) -> {
                  if (message.from() == from && message.to() == to && begin <= now && now < end) {
                    sum[0] += bytes;
                  }
                  faulty.carry(message, bytes, now, arriveAt);
                })
        .build()
        .run();
    return sum[0];
  }

  private static long extraMillis(SimulationResult result, int round) {
    return (result.roundNanos(round) - FAULT_FREE_NANOS) / MILLIS;
  }

  private static long faultFreeRound(int ranks) {
    return run(TREE, ranks, List.of()).roundNanos(4);
  }

  @SafeVarargs
  private static SimulationResult run(
      ExchangeFactory exchange, int ranks, List<LinkFault>... cuts) {
    List<LinkFault> all = new ArrayList<>();
    for (List<LinkFault> cut : cuts) {
      all.addAll(cut);
    }
    return simulation(exchange, ranks, all).build().run();
  }

  private static Simulation.Builder simulation(
      ExchangeFactory exchange, int ranks, List<LinkFault> faults) {
    return Simulation.of(exchange, ranks, LENGTH)
        .chunkLength(CHUNK_LENGTH)
        .rounds(ROUNDS)
        .links(seed -> new FaultyLinks(SoundLinks.uniform(50_000, 1e9), seed, faults))
        .computeTime(ComputeTime.constant(3 * MILLIS));
  }

  private static List<LinkFault> cut(int one, int other, long begin, long end) {
    return List.of(
        new LinkFault(one, other, begin, end, new Effect.Cut()),
        new LinkFault(other, one, begin, end, new Effect.Cut()));
  }
}
