package dev.braid.chaos.sim.suite;

import static dev.braid.chaos.sim.random.Partings.isolate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.chaos.sim.random.Partings;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Update;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.server.Consistency;
import dev.braid.exchange.server.ServerOptions;
import dev.braid.exchange.transport.Flight;
import dev.braid.vector.Range;
import dev.braid.vector.Vectors;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/**
 * Tests asynchronous exchanges while a rank is unreachable: the others continue without it, it does
 * not continue alone, no rank waits until it has caught up, and each gradient reaches each replica
 * once.
 */
class AbsentRanksTest extends AbsentRanks {

  @UnderFaults
  @Property(tries = 60)
  void othersGoOnWithoutARankThatIsIsolated(
      @ForAll Case exchange, @ForAll @IntRange(min = 2, max = 9) int ranks, @ForAll long seed) {
    int rank = new SplittableRandom(seed).nextInt(ranks);
    Run run = run(exchange, ranks, seed, isolate(rank, BEGIN_MILLIS, END_MILLIS));

    // Of two ranks, rank 0 continues.
    int stopped = ranks == 2 ? 1 : rank;
    assertThat(run.gradients(stopped, BEGIN_MILLIS + 1_000, END_MILLIS)).isZero();
    long bound = Math.max(exchange.bound(), ranks);
    for (int other = 0; other < ranks; other++) {
      if (other != stopped) {
        assertThat(run.gradients(other, BEGIN_MILLIS + 2_500, END_MILLIS))
            .as("gradients of rank %d meanwhile", other)
            .isGreaterThan(2 * bound);
        assertThat(run.gradients(other, END_MILLIS + 500, END_MILLIS + 3_000))
            .as("gradients of rank %d when the other is back", other)
            .isGreaterThan(2 * bound);
      }
    }
    if (exchange.bound() > 0) {
      assertThat(run.worstLeadBut(stopped)).isLessThanOrEqualTo(exchange.bound());
    }
  }

  @UnderFaults
  @Example
  void othersOfManyGoOnWithoutARankThatIsIsolated() {
    Run run = run(Case.GOSSIP, 100, 1, isolate(99, BEGIN_MILLIS, END_MILLIS));
    assertThat(run.gradients(99, BEGIN_MILLIS + 1_000, END_MILLIS)).isZero();
    assertThat(run.gradients(65, BEGIN_MILLIS + 2_500, END_MILLIS)).isGreaterThan(20);
  }

  /** With 16 ranks and gossip, most of the others are not partners: they are asked nevertheless. */
  @UnderFaults
  @Example
  void aRankThatIsIsolatedDoesNotGoOn_howeverFewItHearsOf() {
    for (int rank : new int[] {0, 7}) {
      Run run = run(Case.GOSSIP, 16, rank, isolate(rank, BEGIN_MILLIS, END_MILLIS));
      assertThat(run.gradients(rank, BEGIN_MILLIS + 1_000, END_MILLIS)).isZero();
      assertThat(run.gradients((rank + 3) % 16, BEGIN_MILLIS + 2_500, END_MILLIS))
          .isGreaterThan(20);
    }
  }

  /** A rank that waits for another has no message in flight to it when it becomes unreachable. */
  @Example
  void aSlowRankThatIsIsolated_isNoticedByThoseThatWaitForIt() {
    for (Case exchange : Case.values()) {
      Watcher watcher = new Watcher(exchange.check(4, 10));
      SimulationResult result =
          builder(exchange.exchange, exchange.options(4), watcher, 4, 10, 5)
              .computeTime((rank, round) -> rank == 2 && round == 20 ? 3_000 * MILLIS : 20 * MILLIS)
              .faults(isolate(2, 2_000, 9_000))
              .build()
              .run();
      assertThat(new Run(watcher.nanos, result).gradients(1, 5_000, 9_000)).isGreaterThan(100);
    }
  }

  @UnderFaults
  @Example
  void halves_thatWithRank0GoesOn() {
    for (Case exchange : List.of(Case.AKO_HALVES, Case.ALL_TO_ALL)) {
      Run run = run(exchange, 4, 3, between(List.of(0, 2), List.of(1, 3)));
      assertThat(run.gradients(2, BEGIN_MILLIS + 2_500, END_MILLIS)).isGreaterThan(20);
      assertThat(run.gradients(1, BEGIN_MILLIS + 1_000, END_MILLIS)).isZero();
    }
  }

  /**
   * The others compute nothing meanwhile: all of them wait at the bound for one whose gradient
   * takes long, or have ended. So they send the rank only what it has missed.
   */
  @Property(tries = 60)
  void aRankThatIsBack_hasWhatItHasMissedBeforeItComputes(
      @ForAll @From("exact") Case exchange,
      @ForAll @IntRange(min = 3, max = 9) int ranks,
      @ForAll boolean othersHaveEnded,
      @ForAll long seed) {
    long gradientNanos = 20 * MILLIS;
    // Long after the others' last round, even with slow links; or while rank 1 computes.
    int backMillis = othersHaveEnded ? 60_000 : 15_000;
    int length = length(seed);
    ComputedWhenBack watcher =
        new ComputedWhenBack(
            exchange.check(ranks, length), length, backMillis * MILLIS, gradientNanos);
    builder(exchange.exchange, exchange.options(ranks), watcher, ranks, length, seed)
        .computeTime(
            (rank, round) ->
                rank == 1 && round == 100 && !othersHaveEnded ? 20_000 * MILLIS : gradientNanos)
        .faults(isolate(0, BEGIN_MILLIS, backMillis))
        .build()
        .run();

    // The others notice one by one that it has rejoined. As long as one has not, its bound relative
    // to that one applies, which may grow by the rounds that were in flight when it became
    // unreachable.
    int bound = Math.max(1, exchange.partitions) + STALENESS;
    assertThat(watcher.lacking).isLessThanOrEqualTo(bound + 2 * Flight.LEAST);
    assertThat(watcher.gradients).isGreaterThan(20);
  }

  @Example
  void itHasWhatItHasMissed_behindSlowLinks() {
    aRankThatIsBack_hasWhatItHasMissedBeforeItComputes(Case.ALL_TO_ALL, 7, true, 5771);
    aRankThatIsBack_hasWhatItHasMissedBeforeItComputes(Case.AKO_WHOLE, 5, true, 5771);
  }

  @Provide
  static Arbitrary<Case> exact() {
    return Arbitraries.of(Case.class).filter(exchange -> exchange != Case.GOSSIP);
  }

  /** Each of the two considers the other away; the rest reaches both. */
  @UnderFaults
  @Example
  void aLinkThatIsCut_stopsNobody() {
    for (Case exchange : List.of(Case.AKO_HALVES, Case.ALL_TO_ALL)) {
      Run run = run(exchange, 4, 3, between(List.of(1), List.of(2)));
      for (int rank = 0; rank < 4; rank++) {
        assertThat(run.gradients(rank, BEGIN_MILLIS + 2_500, END_MILLIS)).isGreaterThan(20);
      }
    }
  }

  @Example
  void aWorkerThatIsIsolated_keepsNoOtherWaitingAtItsServer() {
    ExchangeOptions options =
        ExchangeOptions.defaults(4)
            .with(ExchangeOptions.STALENESS, STALENESS)
            .with(new ServerOptions(1, Consistency.SSP));
    Watcher watcher = new Watcher(UpdateCheck.NONE);
    SimulationResult result =
        builder(ExchangeType.PS, options, watcher, 4, 20, 3)
            .faults(isolate(1, BEGIN_MILLIS, END_MILLIS))
            .build()
            .run();
    Run run = new Run(watcher.nanos, result);
    assertThat(run.gradients(1, BEGIN_MILLIS + 1_000, END_MILLIS)).isZero();
    for (int other : new int[] {0, 2}) {
      assertThat(run.gradients(other, BEGIN_MILLIS + 2_500, END_MILLIS)).isGreaterThan(20);
      assertThat(run.gradients(other, END_MILLIS + 500, END_MILLIS + 3_000)).isGreaterThan(20);
    }
    for (float[] replica : result.replicas()) {
      assertThat(replica).isEqualTo(result.replicas()[3]);
    }
  }

  /** Fails if a gradient is lost or counted twice, or if anything is stuck. */
  @UnderFaults
  @Property(tries = 100)
  void anySchedule(
      @ForAll Case exchange, @ForAll @IntRange(min = 2, max = 12) int ranks, @ForAll long seed) {
    run(exchange, ranks, seed, Partings.random(seed, ranks, 5_000));
  }

  /**
   * Counts the gradients that rank 0 computes after it has rejoined and before another does, and
   * those of them that it begins while it lacks gradients of others.
   */
  private static final class ComputedWhenBack extends Watcher {

    private final long backNanos;
    private final long gradientNanos;
    private final float[] computed;
    private final float[] applied;
    private boolean ownIsDue;
    private long changedNanos;
    private boolean othersCompute;
    private int gradients;
    private int lacking;

    ComputedWhenBack(UpdateCheck check, int length, long backNanos, long gradientNanos) {
      super(check);
      this.backNanos = backNanos;
      this.gradientNanos = gradientNanos;
      this.computed = new float[length];
      this.applied = new float[length];
    }

    @Override
    public void contributing(int rank, Contribution contribution) {
      super.contributing(rank, contribution);
      long now = clock().nowNanos();
      othersCompute |= rank != 0 && now > backNanos;
      if (rank == 0 && now > backNanos && !othersCompute) {
        gradients++;
        boolean lacks = changedNanos > now - gradientNanos || !Arrays.equals(applied, computed);
        lacking += lacks ? 1 : 0;
      }
      ownIsDue |= rank == 0 && contribution.samples() > 0;
      Vectors.add(computed, contribution.gradient(), Range.ofLength(computed.length));
    }

    @Override
    public void updated(int rank, long round, Update update) {
      super.updated(rank, round, update);
      if (rank == 0 && update instanceof Update.GradientSum sum) {
        float[] values = sum.values().toArray();
        for (int i = 0; i < values.length; i++) {
          applied[sum.range().start() + i] += values[i];
        }
        changedNanos = ownIsDue ? changedNanos : clock().nowNanos();
        ownIsDue = false;
      }
    }
  }
}
