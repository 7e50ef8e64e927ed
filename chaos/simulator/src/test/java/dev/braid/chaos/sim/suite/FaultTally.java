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

/** What faults have done in all runs of a test: one whose faults hit nothing fails. */
final class FaultTally {

  /** All that a schedule draws that knows any kind of fault of links. */
  static final Set<Effect> SCHEDULED = EnumSet.complementOf(EnumSet.of(Effect.ISOLATED));

  /** In fewer runs faults may hit nothing. */
  private static final int FEW_RUNS = 50;

  private static final int ENOUGH_RUNS = 100;

  /** Number of kinds that may hit nothing in fewer runs than enough. */
  private static final int MISSED_BY_FEW_RUNS = 2;

  private final FaultCounts counts = new FaultCounts();
  private boolean expectsRuns;
  private int runs;

  /** Runs are added from now on, by a test that is {@link UnderFaults}. */
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
   * Prints the sums, and fails if no run was added. From 50 runs on it fails also if faults hit
   * less than one message a run, or if more than two kinds never happened; from 100 runs on, if any
   * kind never happened.
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
