package dev.braid.chaos.sim.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.sim.FaultCounts;
import dev.braid.chaos.sim.FaultCounts.Incident;
import dev.braid.chaos.sim.stream.StreamMistake;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests runs from a topic under random faults. A run that fails reports its seed. */
class StreamSimulationTest {

  private static final int RUNS = 30 * Integer.getInteger("braid.test.tries", 100);

  /** Number of runs that is enough for every incident to occur. */
  private static final int ENOUGH = 2_000;

  private static final int MOST_RUNS_OF_A_MISTAKE = 4_000;

  private static RunChoice choice(long seed) {
    return RunChoice.of(seed).withKind(FaultRunKind.STREAM);
  }

  @Test
  void eachOffsetIsUsedOnce_inDealsOfTheLineage_whateverFails() {
    long first = System.nanoTime();
    System.out.printf("%d runs from a topic, seeds from %d%n", RUNS, first);
    FaultCounts counts = new FaultCounts();
    for (int i = 0; i < RUNS; i++) {
      counts.add(new StreamRun(choice(first + i)).run().faults());
    }
    System.out.println(counts);
    if (RUNS >= ENOUGH) {
      List<Incident> never =
          Arrays.stream(Incident.values()).filter(incident -> counts.of(incident) == 0).toList();
      assertThat(never).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void theSearchFindsAPlantedMistake(StreamMistake mistake) {
    long begin = System.nanoTime();
    for (long seed = 1; seed <= MOST_RUNS_OF_A_MISTAKE; seed++) {
      Optional<String> found = new StreamRun(choice(seed), Optional.of(mistake)).failure();
      if (found.isPresent()) {
        System.out.printf(
            Locale.ROOT,
            "%s: found in run %d, after %.2f s: %s%n",
            mistake,
            seed,
            (System.nanoTime() - begin) / 1e9,
            found.get());
        assertThat(new StreamRun(choice(seed)).failure()).as("without the mistake").isEmpty();
        return;
      }
    }
    assertThat(mistake).as("mistake that was not found").isNull();
  }
}
