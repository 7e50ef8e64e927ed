package dev.braid.chaos.sim.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.fault.Effect;
import dev.braid.chaos.sim.FaultCounts;
import dev.braid.chaos.sim.FaultCounts.Response;
import dev.braid.chaos.sim.SimulationResult;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Counts the effects of faults in all runs of a test, which fails if its faults have no effect. */
final class FaultTally {

  /** Effects of all schedules that know every kind of link fault. */
  static final Set<Effect> SCHEDULED = EnumSet.complementOf(EnumSet.of(Effect.ISOLATED));

  /** Number of runs below which faults may have no effect. */
  private static final int FEW_RUNS = 50;

  private static final int ENOUGH_RUNS = 100;

  /** Number of kinds that may have no effect in fewer than {@link #ENOUGH_RUNS} runs. */
  private static final int MISSED_BY_FEW_RUNS = 2;

  private final FaultCounts counts = new FaultCounts();
  private boolean expectsRuns;
  private int runs;

  /** Expects runs from this moment on, of a test that is {@link UnderFaults}. */
  void expectRuns() {
    expectsRuns = true;
  }

  SimulationResult add(SimulationResult result) {
    assertThat(expectsRuns).as("whether the test is said to be under faults").isTrue();
    counts.add(result.faults());
    runs++;
    return result;
  }

  /**
   * Prints the sums, and fails if no run was added. From 50 runs on, also fails if faults affected
   * less than one message in each run on average, or if more than two kinds never occurred; from
   * 100 runs on, if any kind never occurred.
   */
  void check(Set<Effect> effects, Set<Response> responses) {
    System.out.println(runs + " runs with faults: " + counts);
    assertThat(runs).as("runs with faults").isPositive();
    if (runs < FEW_RUNS) {
      return;
    }
    long hits = Stream.of(Effect.values()).mapToLong(counts::of).sum();
    assertThat(hits).as("hits of faults, in %d runs", runs).isGreaterThanOrEqualTo(runs);
    List<String> missed =
        effects.stream().filter(effect -> counts.of(effect) == 0).map(Effect::title).toList();
    assertThat(missed)
        .as("kinds of faults that hit nothing, in %d runs", runs)
        .hasSizeLessThanOrEqualTo(runs < ENOUGH_RUNS ? MISSED_BY_FEW_RUNS : 0);
    for (Response response : responses) {
      assertThat(counts.of(response)).as("%s, in %d runs", response.title(), runs).isPositive();
    }
  }
}
