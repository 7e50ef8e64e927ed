package dev.braid.connectors.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.braid.connectors.stream.SimulatedStream.Event;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Deals under random crashes, in virtual time. {@code -Dbraid.stream.schedules} sets the number of
 * runs, and {@code -Dbraid.stream.seed} the seed of the first run. A run that fails reports its
 * seed.
 */
class StreamSimulationTest {

  private static final int SCHEDULES =
      Integer.getInteger(
          "braid.stream.schedules", 30 * Integer.getInteger("braid.test.tries", 100));

  /** Number of runs that is enough for every kind of event to occur. */
  private static final int ENOUGH = 500;

  private static final int MOST_RUNS_OF_A_MISTAKE = 2_000;

  @Test
  void eachOffsetIsUsedOnce_inDealsOfTheLineage_whateverFails() {
    long first = Long.getLong("braid.stream.seed", System.nanoTime());
    System.out.printf("%d schedules from seed %d%n", SCHEDULES, first);
    Map<Event, Integer> tally = new EnumMap<>(Event.class);
    for (int i = 0; i < SCHEDULES; i++) {
      new SimulatedStream(first + i, Optional.empty())
          .run()
          .forEach((event, times) -> tally.merge(event, times, Integer::sum));
    }
    System.out.println(tally);
    if (SCHEDULES >= ENOUGH) {
      assertThat(tally).as("events that have happened").containsOnlyKeys(Event.values());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aPlantedMistakeIsFound(StreamMistake mistake) {
    for (long seed = 1; seed <= MOST_RUNS_OF_A_MISTAKE; seed++) {
      try {
        new SimulatedStream(seed, Optional.of(mistake)).run();
      } catch (AssertionError e) {
        System.out.printf("%s: %s%n", mistake, e.getMessage().lines().findFirst().orElse(""));
        long same = seed;
        assertThatCode(() -> new SimulatedStream(same, Optional.empty()).run())
            .as("the run without the mistake")
            .doesNotThrowAnyException();
        return;
      }
    }
    assertThat(mistake).as("mistake that was found").isNull();
  }
}
