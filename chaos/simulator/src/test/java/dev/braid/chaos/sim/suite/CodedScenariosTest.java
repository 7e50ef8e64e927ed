package dev.braid.chaos.sim.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.chaos.event.Action;
import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.Link;
import dev.braid.chaos.event.Start;
import dev.braid.chaos.event.Target;
import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.check.ExactRoundSums;
import dev.braid.chaos.sim.condition.CodedGradients;
import dev.braid.chaos.sim.condition.ComputeTime;
import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.chaos.sim.condition.SoundLinks;
import dev.braid.coding.CodeTree;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Figure;
import dev.braid.exchange.FigureValues;
import dev.braid.exchange.ForwardingPort;
import dev.braid.exchange.Measured;
import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.coded.CodedOptions;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.runner.ExchangeFactory;
import dev.braid.exchange.runner.ExchangeRunner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Tests the purpose of coded exchanges: stragglers and cut links do not delay rounds. */
class CodedScenariosTest {

  private static final long MILLIS = 1_000_000;
  private static final int LENGTH = 50;
  private static final int ROUNDS = 60;
  private static final Gradients REALS = Gradients.reals(3, LENGTH, (rank, round) -> 1).drawnOnce();

  /**
   * A tree with two children below the master and two below each of these. One child of each parent
   * may be late.
   */
  private static final ExchangeOptions SIX =
      ExchangeOptions.defaults(6).with(CodedOptions.CHILDREN, 2).with(CodedOptions.STRAGGLERS, 1);

  /**
   * When the straggler changes, two ranks are late at once, until one of them has finished a
   * gradient that is no longer needed.
   */
  @Test
  void aStragglerThatWandersCostsLittleTime_andChangesNoBit() {
    SimulationResult calm = coded(SIX, 6).build().run();
    ComputeTime wandering = (rank, round) -> rank == round / 20 % 6 ? 100 * MILLIS : 10 * MILLIS;
    SimulationResult straggling = coded(SIX, 6).computeTime(wandering).build().run();
    assertThat(straggling.replicas()).isDeepEqualTo(calm.replicas());
    assertThat(nanos(straggling)).isLessThan((long) (1.3 * nanos(calm)));
    SimulationResult ring =
        simulation(ExchangeType.RING, ExchangeOptions.defaults(6), 6)
            .gradients(REALS)
            .check(() -> ExactRoundSums.agreeing(REALS, 6))
            .computeTime(wandering)
            .build()
            .run();
    assertThat(nanos(ring)).isGreaterThan(7 * nanos(straggling));
  }

  @Test
  void aStragglerThatStaysCostsNoTime() {
    SimulationResult calm = coded(SIX, 6).build().run();
    for (int straggler = 0; straggler < 6; straggler++) {
      ComputeTime slow = ComputeTime.constant(10 * MILLIS).straggling(straggler, 100, 0, ROUNDS);
      SimulationResult straggling = coded(SIX, 6).computeTime(slow).build().run();
      assertThat(straggling.replicas()).isDeepEqualTo(calm.replicas());
      assertThat(nanos(straggling)).isLessThan((long) (1.02 * nanos(calm)));
    }
  }

  /** Worker 4 is below worker 1, and has the brother 5. */
  @Test
  void whoIsNotWaitedForIsCountedAtItsParent() {
    FigureValues[] uses = uses(ComputeTime.constant(10 * MILLIS).straggling(4, 4.5, 0, ROUNDS));
    assertThat(uses[1].get(Figure.STRAGGLERS)).isEqualTo(ROUNDS);
    // It abandons its gradient when the sum arrives, and sends no answer.
    assertThat(uses[1].get(Figure.LATE_MESSAGES)).isZero();
    assertThat(uses[1].get(Figure.DECODED_SETS)).isOne();
    assertThat(uses[1].get(Figure.SUMS)).isEqualTo(ROUNDS);
    for (int leaf : new int[] {2, 3, 4, 5}) {
      assertThat(uses[leaf].get(Figure.SUMS)).isZero();
      assertThat(uses[leaf].get(Figure.STRAGGLERS)).isZero();
    }
    assertThat(uses[0].get(Figure.SUMS)).isEqualTo(ROUNDS);
  }

  /**
   * The answer comes later than its brother's and earlier than the sum: its three chunks are
   * useless.
   */
  @Test
  void answersThatAreNotNeededAnyMoreAreCounted() {
    FigureValues[] uses = uses(ComputeTime.constant(10 * MILLIS).straggling(4, 1.02, 0, ROUNDS));
    assertThat(uses[1].get(Figure.LATE_MESSAGES)).isBetween(1.0 * ROUNDS, 3.0 * ROUNDS);
    assertThat(uses[1].get(Figure.STRAGGLERS)).isEqualTo(ROUNDS);
  }

  /** Both workers below worker 1 are late, and none below worker 0. */
  @Test
  void whoWaitsForMoreThanTheCodeStandsSaysHowLong() {
    ComputeTime late = (rank, round) -> (rank == 4 || rank == 5 ? 100 : 10) * MILLIS;
    FigureValues[] waiting =
        uses((rank, round) -> rank == 0 ? 200 * MILLIS : late.nanos(rank, round));
    assertThat(meanWait(waiting[1])).isBetween(85.0 * MILLIS, 95.0 * MILLIS);
    FigureValues[] calm = uses(ComputeTime.constant(10 * MILLIS));
    assertThat(meanWait(calm[1])).isLessThan(2.0 * MILLIS);
  }

  private static double meanWait(FigureValues use) {
    return use.get(Figure.ANSWER_WAIT) / use.get(Figure.SUMS);
  }

  /** Sums return in a few message times; an answer of three chunks takes one and a half. */
  @Test
  void howLongASumAndAnAnswerTakeIsMeasured() {
    FigureValues[] uses = uses(ComputeTime.constant(10 * MILLIS));
    for (int parent : new int[] {0, 1}) {
      double secondsOfSum = uses[parent].get(Figure.SUM_TIME) / 1e9 / uses[parent].get(Figure.SUMS);
      assertThat(secondsOfSum).isBetween(0.0, 2e-3);
      assertThat(uses[parent].get(Figure.MESSAGE_TIME)).isBetween(0.0, 1e-3);
    }
    assertThat(uses[1].get(Figure.MESSAGE_TIME)).isPositive();
  }

  /** Returns the decoding statistics of the ranks of {@link #SIX} at the end. */
  private static FigureValues[] uses(ComputeTime times) {
    Measured[] ranks = new Measured[6];
    CodeTree codes = ExchangeType.CODED.descriptor().codes(SIX, 6).orElseThrow();
    Simulation.of(
            (config, port) -> {
              ExchangeRunner exchange = ExchangeType.CODED.create(config, port);
              ranks[config.rank()] = exchange;
              return exchange;
            },
            6,
            LENGTH)
        .options(SIX)
        .rounds(ROUNDS)
        .chunkLength(20)
        .links(seed -> SoundLinks.uniform(50_000, 1e6))
        .gradients(CodedGradients.of(REALS, codes))
        .computeTime(times)
        .build()
        .run();
    return Arrays.stream(ranks).map(Measured::figures).toArray(FigureValues[]::new);
  }

  /**
   * The answers of ranks behind the cut links take other routes, and are not waited for. Sums take
   * other routes when they are overdue: a tenth of a second later for each of two links on the way
   * to rank 4. Until then rank 4 is behind, and the others continue.
   */
  @Test
  void aCutLinkBelowEachParentStopsNoRound() {
    ComputeTime times = ComputeTime.constant(30 * MILLIS);
    List<Long> calmEnds = new ArrayList<>();
    List<Long> cutEnds = new ArrayList<>();
    SimulationResult calm = watched(calmEnds).computeTime(times).build().run();
    int[][] links = {{0, 1}, {0, 2}, {1, 4}};
    SimulationResult cut =
        watched(cutEnds)
            .computeTime(times)
            .faults(Arrays.stream(links).map(link -> cutBothWays(link[0], link[1], 100)).toList())
            .build()
            .run();
    assertThat(cut.replicas()).isDeepEqualTo(calm.replicas());
    assertThat(nanos(cut)).isLessThan((long) (1.25 * nanos(calm)));
    assertThat(cutEnds).hasSize(ROUNDS);
    System.out.printf(
        Locale.ROOT,
        "the longest round at the root takes %.2f ms, and %.2f ms with cut links%n",
        longest(calmEnds) / 1e6,
        longest(cutEnds) / 1e6);
    assertThat(longest(cutEnds)).isLessThan((long) (1.1 * longest(calmEnds)));
  }

  /** Returns the run of {@link #SIX}, which records the times when rounds end at the root. */
  private static Simulation.Builder watched(List<Long> ends) {
    CodeTree codes = ExchangeType.CODED.descriptor().codes(SIX, 6).orElseThrow();
    return simulation(
            (config, port) ->
                ExchangeType.CODED.create(config, config.rank() == 0 ? new Ends(port, ends) : port),
            SIX,
            6)
        .gradients(CodedGradients.of(REALS, codes))
        .check(() -> ExactRoundSums.agreeing(REALS, 6));
  }

  private static final class Ends extends ForwardingPort {
    private final List<Long> ends;

    Ends(Port port, List<Long> ends) {
      super(port);
      this.ends = ends;
    }

    @Override
    public void update(Update update) {
      ends.add(nowNanos());
      super.update(update);
    }
  }

  private static long longest(List<Long> ends) {
    return IntStream.range(1, ends.size())
        .mapToLong(i -> ends.get(i) - ends.get(i - 1))
        .max()
        .orElseThrow();
  }

  /**
   * Both of a parent's children are late, and so is the parent's brother: there is no alternative.
   */
  @Test
  void moreStragglersThanTheCodeStandsAreWaitedFor() {
    ComputeTime late = (rank, round) -> rank < 2 ? 100 * MILLIS : 10 * MILLIS;
    SimulationResult calm = coded(SIX, 6).build().run();
    SimulationResult waiting = coded(SIX, 6).computeTime(late).build().run();
    assertThat(waiting.replicas()).isDeepEqualTo(calm.replicas());
    assertThat(nanos(waiting)).isGreaterThan(8 * nanos(calm));
  }

  @Test
  void theRootMayBeAnyRank() {
    SimulationResult first = coded(SIX, 6).build().run();
    for (int root = 1; root < 6; root++) {
      SimulationResult other = coded(SIX.with(ExchangeOptions.ROOT, root), 6).build().run();
      assertThat(other.replicas()).isDeepEqualTo(first.replicas());
      assertThat(other.unreleased()).isZero();
    }
  }

  /** The root follows the workers; it computes nothing, and has no model. */
  @Test
  void theRootMayBeARankOfItsOwn() {
    SimulationResult first = coded(SIX, 6).build().run();
    ExchangeOptions dedicated = SIX.with(ExchangeOptions.ROOT, ExchangeOptions.DEDICATED);
    CodeTree codes = ExchangeType.CODED.descriptor().codes(dedicated, 6).orElseThrow();
    ComputeTime wandering = (rank, round) -> rank == round / 20 % 6 ? 100 * MILLIS : 10 * MILLIS;
    for (ComputeTime times : List.of(ComputeTime.constant(10 * MILLIS), wandering)) {
      SimulationResult other =
          simulation(ExchangeType.CODED, dedicated, 7)
              .gradients(CodedGradients.of(REALS, codes))
              .computeTime(times)
              .checkpointEveryNanos(250 * MILLIS)
              .build()
              .run();
      for (int rank = 0; rank < 6; rank++) {
        assertThat(other.replicas()[rank]).isEqualTo(first.replicas()[rank]);
      }
      assertThat(other.unreleased()).isZero();
      assertThat(nanos(other)).isLessThan((long) (2.5 * nanos(first)));
    }
  }

  /**
   * With codes that are not repetitions, sums are equal at all ranks, and equal to the plain sum up
   * to rounding.
   */
  @Property(tries = 60)
  void cyclicSumsAreThePlainOnesUpToRounding(
      @ForAll @IntRange(min = 3, max = 20) int ranks,
      @ForAll @IntRange(min = 1, max = 3) int stragglers,
      @ForAll @IntRange(min = 2, max = 7) int children,
      @ForAll long seed) {
    int below = Math.min(ranks, Math.max(children, stragglers + 1));
    ExchangeOptions options =
        ExchangeOptions.defaults(ranks)
            .with(CodedOptions.CHILDREN, below)
            .with(CodedOptions.STRAGGLERS, Math.min(stragglers, below - 1));
    SimulationResult result =
        coded(options, ranks)
            .seed(seed)
            .rounds(5)
            .chunkLength(7)
            .computeTime(ComputeTime.shiftedExponential(seed, 100, 10_000, 1e-5))
            .build()
            .run();
    float[] plain = new float[LENGTH];
    for (int round = 0; round < 5; round++) {
      double[] sum = new double[LENGTH];
      for (int rank = 0; rank < ranks; rank++) {
        float[] gradient = REALS.of(rank, round).gradient();
        for (int i = 0; i < LENGTH; i++) {
          sum[i] += gradient[i];
        }
      }
      for (int i = 0; i < LENGTH; i++) {
        plain[i] -= (float) (sum[i] / ranks);
      }
    }
    for (float[] replica : result.replicas()) {
      assertThat(replica).isEqualTo(result.replicas()[0]);
      assertThat(replica).containsExactly(plain, within(1e-3f));
    }
  }

  /** Each sum has N − S gradients, and exactly their ranks find their gradients in it. */
  @Property(tries = 60)
  void droppedStragglersAreInNoSum(
      @ForAll @IntRange(min = 2, max = 12) int ranks,
      @ForAll @IntRange(min = 1, max = 4) int stragglers,
      @ForAll long seed) {
    int dropped = Math.min(stragglers, ranks - 1);
    FirstSums check = new FirstSums(REALS, ranks, ranks - dropped);
    SimulationResult result =
        simulation(
                ExchangeType.DROP_STRAGGLERS,
                ExchangeOptions.defaults(ranks).with(CodedOptions.STRAGGLERS, dropped),
                ranks)
            .gradients(REALS)
            .check(() -> check)
            .seed(seed)
            .chunkLength(7)
            .computeTime(ComputeTime.shiftedExponential(seed, 100, 10_000, 1e-5))
            .build()
            .run();
    check.finish(ROUNDS);
    for (float[] replica : result.replicas()) {
      assertThat(replica).isEqualTo(result.replicas()[0]);
    }
    assertThat(result.unreleased()).isZero();
  }

  private static ChaosEvent cutBothWays(int one, int other, long fromMillis) {
    return ChaosEvent.of(new Action.Cut(), new Target.OfLink(new Link(one, other), false))
        .withStart(new Start.After(fromMillis));
  }

  private static Simulation.Builder coded(ExchangeOptions options, int ranks) {
    CodeTree codes = ExchangeType.CODED.descriptor().codes(options, ranks).orElseThrow();
    return simulation(ExchangeType.CODED, options, ranks)
        .gradients(CodedGradients.of(REALS, codes))
        .check(() -> ExactRoundSums.agreeing(REALS, ranks));
  }

  private static Simulation.Builder simulation(
      ExchangeType exchange, ExchangeOptions options, int ranks) {
    return simulation(exchange::create, options, ranks);
  }

  private static Simulation.Builder simulation(
      ExchangeFactory exchange, ExchangeOptions options, int ranks) {
    return Simulation.of(exchange, ranks, LENGTH)
        .options(options)
        .rounds(ROUNDS)
        .chunkLength(20)
        .links(seed -> SoundLinks.uniform(50_000, 1e9))
        .computeTime(ComputeTime.constant(10 * MILLIS));
  }

  private static long nanos(SimulationResult result) {
    return result.roundEndNanos()[ROUNDS - 1];
  }
}
