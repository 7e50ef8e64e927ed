package dev.braid.chaos.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.event.Action;
import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.Link;
import dev.braid.chaos.event.Start;
import dev.braid.chaos.event.Target;
import dev.braid.chaos.sim.condition.ComputeTime;
import dev.braid.chaos.sim.condition.SoundLinks;
import dev.braid.exchange.fttree.BraidedTree;
import dev.braid.exchange.fttree.FaultTolerantTree;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.runner.ExchangeFactory;
import dev.braid.exchange.runner.ExchangeRunner;
import dev.braid.topology.BackupTree;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests specific link failures: the cost of a round, and the traffic of links. */
class LinkFailureScenariosTest {

  private static final int LENGTH = 40_705;
  private static final int CHUNK_LENGTH = 6_000;

  /** Bandwidth at which a vector takes 1.6 ms. */
  private static final double BYTES_PER_SECOND = 1e8;

  private static final int ROUNDS = 8;
  private static final long MILLIS = 1_000_000;
  private static final Duration TIMEOUT = Duration.ofMillis(500);

  private static final ExchangeFactory TREE = ExchangeType.TREE::create;
  private static final ExchangeFactory STATIC =
      ExchangeRunner.bare((config, port) -> new FaultTolerantTree(config, port, TIMEOUT.toNanos()));
  private static final ExchangeFactory ADAPTIVE = ExchangeRunner.bare(BraidedTree::new);

  private static final long FAULT_FREE_NANOS = faultFreeRound(7);

  /** Time in the middle of the third round of a run without faults. */
  private static final long IN_ROUND_2_MILLIS = 5 * FAULT_FREE_NANOS / 2 / MILLIS;

  @Test
  void noFault_bothCostLittleMoreThanTheTree() {
    for (int ranks : new int[] {7, 15, 31}) {
      double tree = faultFreeRound(ranks);
      assertThat(run(STATIC, ranks).roundNanos(4) / tree).isLessThan(1.1);
      assertThat(run(ADAPTIVE, ranks).roundNanos(4) / tree).isLessThan(1.1);
    }
  }

  /** Tables 1 and 2: one time-out on the way up and one on the way down, in every round. */
  @Test
  void linkCutForGood_staticTimeouts_everyRoundCostsTwoTimeouts() {
    SimulationResult result = run(STATIC, 7, cut(1, 3, 0));
    for (int round = 1; round < ROUNDS; round++) {
      assertThat(extraMillis(result, round)).isBetween(1_000L, 1_100L);
    }
  }

  @Test
  void twoLinksOfOneLevelCut_staticTimeouts_costAsMuchAsOne() {
    SimulationResult result = run(STATIC, 7, cut(1, 3, 0), cut(2, 5, 0));
    assertThat(extraMillis(result, 4)).isBetween(1_000L, 1_100L);
  }

  @Test
  void twoLinksOfConsecutiveLevelsCut_staticTimeouts_costTwiceAsMuch() {
    SimulationResult result = run(STATIC, 7, cut(1, 3, 0), cut(0, 1, 0));
    assertThat(extraMillis(result, 4)).isBetween(2_000L, 2_200L);
  }

  /** The root's children have no uncle, so the route around the cut shares a primary link. */
  @Test
  void linkCutForGood_adaptive_thatRoundCostsLessThan100Millis_andLaterOnesLittle() {
    for (int child = 1; child < 7; child++) {
      SimulationResult result = run(ADAPTIVE, 7, cut((child - 1) / 2, child, IN_ROUND_2_MILLIS));
      assertThat(extraMillis(result, 2)).isLessThan(100);
      for (int round = 3; round < ROUNDS; round++) {
        assertThat(result.roundNanos(round) / (double) FAULT_FREE_NANOS)
            .as("link above %d, round %d", child, round)
            .isLessThan(child <= 2 ? 1.5 : 1.15);
      }
    }
  }

  /** Acknowledgements are sent together with data in the opposite direction. */
  @Test
  void noFault_adaptive_takesNoMoreMessagesThanTheTree() {
    assertThat((double) messages(ADAPTIVE)).isLessThan(1.02 * messages(TREE));
  }

  /**
   * A vector passes each of six links once up and once down. If the link of a rank is dead, its
   * brother adds the rank's sum to its own, and forwards the finished sum, which it gets anyway.
   */
  @Test
  void linkCutForGood_adaptive_takesNoVectorMoreARound() {
    double sound = laterBytes(TREE);
    for (int child = 1; child < 7; child++) {
      ChaosEvent cut = cut((child - 1) / 2, child, 0);
      long bytes = laterBytes(ADAPTIVE, cut);
      assertThat(bytes / sound).as("link above %d", child).isBetween(0.99, 1.01);
    }
  }

  /**
   * One brother's sum goes through the other, and the sum of both through the uncle; the finished
   * sum reaches each of them through the uncle.
   */
  @Test
  void bothLinksOfBrothersCutForGood_adaptive_takeThreeVectorsMoreARound() {
    long bytes = laterBytes(ADAPTIVE, cut(1, 3, 0), cut(1, 4, 0));
    assertThat(bytes / (double) laterBytes(TREE)).isBetween(14.9 / 12, 15.1 / 12);
  }

  private static long laterBytes(ExchangeFactory exchange, ChaosEvent... faults) {
    long many = simulation(exchange, 7, faults).rounds(6).build().run().traffic().bytes();
    return many - simulation(exchange, 7, faults).rounds(3).build().run().traffic().bytes();
  }

  private static long messages(ExchangeFactory exchange) {
    Traffic traffic = simulation(exchange, 7).rounds(20).build().run().traffic();
    long messages = 0;
    for (int from = 0; from < 7; from++) {
      for (int to = 0; to < 7; to++) {
        messages += traffic.messages(from, to);
      }
    }
    return messages;
  }

  @Test
  void linkHeals_adaptive_dataGoesOverItAgain() {
    ChaosEvent cut = cut(1, 3, IN_ROUND_2_MILLIS);
    ChaosEvent heal =
        ChaosEvent.of(new Action.Heal(), cut.target())
            .withStart(new Start.After(IN_ROUND_2_MILLIS + 60));
    SimulationResult longAfter = simulation(ADAPTIVE, 7, cut, heal).rounds(20).build().run();
    SimulationResult never = simulation(ADAPTIVE, 7, cut).rounds(20).build().run();
    assertThat(longAfter.traffic().bytes(3, 1)).isGreaterThan(10L * LENGTH * Float.BYTES);
    assertThat(never.traffic().bytes(3, 1)).isLessThan(4L * LENGTH * Float.BYTES);
  }

  /**
   * The route has three links: from 3 to its nephew 9, from there to its brother 4, and to parent
   * 1.
   */
  @Test
  void rankThatOnlyItsNephewReaches_adaptive_isStillInEverySum() {
    ChaosEvent[] allButOne =
        Arrays.stream(new BackupTree(15).neighbours(3))
            .filter(neighbour -> neighbour != 9)
            .mapToObj(neighbour -> cut(3, neighbour, IN_ROUND_2_MILLIS))
            .toArray(ChaosEvent[]::new);
    SimulationResult result = run(ADAPTIVE, 15, allButOne);
    assertThat(result.rounds()).isEqualTo(ROUNDS);
    assertThat(result.replicas()[3]).isEqualTo(result.replicas()[0]);
  }

  @Test
  void threeRanks_withNothingLeftButOneCircleOfOneWayLinks_adaptive_goOn() {
    SimulationResult result = run(ADAPTIVE, 3, cutOneWay(0, 1), cutOneWay(1, 2), cutOneWay(2, 0));
    assertThat(result.rounds()).isEqualTo(ROUNDS);
  }

  /**
   * The link gets a sum that is not acknowledged, and then probes, which are small: later sums take
   * another route. (The window is larger than a vector here.)
   */
  @Test
  void deadLink_adaptive_takesOneVectorAtMost() {
    long diesMillis = IN_ROUND_2_MILLIS + 30;
    long[] dead = new long[1];
    SoundLinks network = SoundLinks.uniform(50_000, BYTES_PER_SECOND);
    simulation(ADAPTIVE, 7, cut(3, 1, diesMillis))
        .rounds(30)
        .links(
            seed ->
                (from, to, bytes, now) -> {
                  dead[0] += from == 3 && to == 1 && now >= diesMillis * MILLIS ? bytes : 0;
                  return network.arrivalNanos(from, to, bytes, now);
                })
        .build()
        .run();
    assertThat(dead[0]).isLessThan(LENGTH * Float.BYTES + 10_000L);
  }

  /** A synchronous round waits for the slowest rank. */
  @Test
  void rankThatStraggles_inTheRoundsThatTheEventSays() {
    ChaosEvent straggle =
        ChaosEvent.of(new Action.Straggle(11), new Target.OfRank(5))
            .withStart(new Start.AtRound(2))
            .withDuration(40);
    SimulationResult result = run(TREE, 7, straggle);
    assertThat(extraMillis(result, 1)).isZero();
    assertThat(extraMillis(result, 3)).isEqualTo(30);
    assertThat(extraMillis(result, 7)).isZero();
  }

  private static long extraMillis(SimulationResult result, int round) {
    return (result.roundNanos(round) - FAULT_FREE_NANOS) / MILLIS;
  }

  private static long faultFreeRound(int ranks) {
    return run(TREE, ranks).roundNanos(4);
  }

  private static SimulationResult run(ExchangeFactory exchange, int ranks, ChaosEvent... faults) {
    return simulation(exchange, ranks, faults).build().run();
  }

  private static Simulation.Builder simulation(
      ExchangeFactory exchange, int ranks, ChaosEvent... faults) {
    return Simulation.of(exchange, ranks, LENGTH)
        .chunkLength(CHUNK_LENGTH)
        .rounds(ROUNDS)
        .links(seed -> SoundLinks.uniform(50_000, BYTES_PER_SECOND))
        .faults(List.of(faults))
        .computeTime(ComputeTime.constant(3 * MILLIS));
  }

  /** Returns a permanent cut of a link. */
  private static ChaosEvent cut(int one, int other, long beginMillis) {
    return ChaosEvent.of(new Action.Cut(), new Target.OfLink(new Link(one, other), false))
        .withStart(new Start.After(beginMillis));
  }

  private static ChaosEvent cutOneWay(int from, int to) {
    return ChaosEvent.of(new Action.Cut(), new Target.OfLink(new Link(from, to), true));
  }
}
