package dev.braid.chaos.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.fault.Effect;
import dev.braid.chaos.sim.FaultCounts.Response;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;

/** What faults have done in all runs of a property: a property whose faults hit nothing fails. */
final class FaultTally {

  /** All that a schedule draws that knows any kind of fault of links. */
  static final Set<Effect> SCHEDULED = EnumSet.complementOf(EnumSet.of(Effect.ISOLATED));

  private static final int ENOUGH_RUNS = 100;

  private final FaultCounts counts = new FaultCounts();
  private int runs;

  SimulationResult add(SimulationResult result) {
    counts.add(result.faults());
    runs++;
    return result;
  }

  boolean isEmpty() {
    return runs == 0;
  }

  long count(Effect effect) {
    return counts.of(effect);
  }

  /**
   * Prints the sums, and fails if a kind never happened; of few runs, which may have had bad luck,
   * if faults hit less than one message a run. Does nothing after a property without faults, which
   * has added nothing.
   */
  void check(Set<Effect> effects, Set<Response> responses) {
    if (runs == 0) {
      return;
    }
    System.out.println(runs + " runs with faults: " + counts);
    long hits = Stream.of(Effect.values()).mapToLong(counts::of).sum();
    assertThat(hits).as("hits of faults, in %d runs", runs).isGreaterThanOrEqualTo(runs);
    for (Effect effect : runs < ENOUGH_RUNS ? Set.<Effect>of() : effects) {
      assertThat(counts.of(effect)).as("%s, in %d runs", effect.title(), runs).isPositive();
    }
    for (Response response : responses) {
      assertThat(counts.of(response)).as("%s, in %d runs", response.title(), runs).isPositive();
    }
  }
}
