package dev.braid.chaos.sim.suite;

import static dev.braid.chaos.sim.random.Partings.isolate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.chaos.sim.condition.ComputeTime;
import dev.braid.chaos.sim.random.Partings;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.server.Consistency;
import dev.braid.exchange.server.ServerOptions;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * Tests checkpoints of asynchronous exchanges while a rank is unreachable: they stop no other rank.
 */
class AbsentRanksAtCheckpointsTest extends AbsentRanks {

  private static final int MINUTE_ROUNDS = 750;

  /**
   * Time after which the others train without the rank. Before, they may be restored from the last
   * checkpoint with it, which takes up to six seconds, and then exclude it again.
   */
  private static final int SETTLED_MILLIS = 15_000;

  @UnderFaults
  @Property(tries = 40)
  void anySchedule_withCheckpoints(
      @ForAll Case exchange, @ForAll @IntRange(min = 2, max = 12) int ranks, @ForAll long seed) {
    List<ChaosEvent> faults = Partings.random(seed, ranks, 5_000);
    long events = builder(exchange, ranks, seed).faults(faults).build().run().events();
    long[] moments = new SplittableRandom(seed).longs(4, 0, events).toArray();
    SimulationResult result =
        tally.add(
            builder(exchange, ranks, seed)
                .faults(faults)
                .checkpointsAfterEvents(moments)
                .build()
                .run());
    assertThat(result.pauses() + result.declined()).isPositive();
    assertThat(result.rounds()).isEqualTo(ROUNDS);
  }

  /**
   * One of four ranks is away for a minute, with a checkpoint due every second. All checkpoints of
   * that minute are declined, and the others are nearly as far at the end as without checkpoints.
   */
  @Example
  void checkpointsEverySecondOfAMinuteWithoutARank_stopNobody() {
    for (Case exchange : Case.values()) {
      checkpointsStopNobody(
          exchange.name(),
          List.of(0, 1, 3),
          interval ->
              aMinuteApart(
                  exchange.exchange,
                  exchange.options(4),
                  exchange.check(4, 10, MINUTE_ROUNDS),
                  interval));
    }
  }

  /** A server is asked only by the others: it does not need the worker's answers. */
  @Example
  void checkpointsEverySecondOfAMinuteWithoutAWorker_stopNoOtherAtItsServer() {
    for (Consistency consistency : List.of(Consistency.ASYNC, Consistency.SSP)) {
      ExchangeOptions options =
          ExchangeOptions.defaults(4)
              .with(ExchangeOptions.STALENESS, STALENESS)
              .with(new ServerOptions(1, consistency));
      checkpointsStopNobody(
          consistency.name(),
          List.of(0, 1),
          interval -> aMinuteApart(ExchangeType.PS, options, UpdateCheck.NONE, interval));
    }
  }

  private static void checkpointsStopNobody(
      String exchange, List<Integer> others, LongFunction<Run> atInterval) {
    Run without = atInterval.apply(0);
    Run with = atInterval.apply(1_000 * MILLIS);
    assertThat(with.result().declined()).as("%s: declined", exchange).isBetween(55, 61);
    // Checkpoints are taken before and after the absence.
    assertThat(with.result().pauses()).as("%s: taken", exchange).isGreaterThan(6);
    for (int other : others) {
      assertThat(with.gradients(other, SETTLED_MILLIS, 65_000))
          .as("%s: gradients of rank %d meanwhile", exchange, other)
          .isGreaterThan(without.gradients(other, SETTLED_MILLIS, 65_000) * 9 / 10)
          .isGreaterThan(420);
    }
    assertThat(with.gradients(2, SETTLED_MILLIS, 65_000))
        .as("%s: without others", exchange)
        .isZero();
  }

  /** Runs with rank 2 isolated from the fifth second on. */
  private static Run aMinuteApart(
      ExchangeType exchange, ExchangeOptions options, UpdateCheck check, long checkpointNanos) {
    Watcher watcher = new Watcher(check);
    SimulationResult result =
        builder(exchange, options, watcher, 4, 10, 7)
            .rounds(MINUTE_ROUNDS)
            .computeTime(ComputeTime.uniform(7, 80 * MILLIS, 120 * MILLIS))
            .faults(isolate(2, 5_000, 65_000))
            .checkpointEveryNanos(checkpointNanos)
            .build()
            .run();
    return new Run(watcher.nanos, result);
  }
}
