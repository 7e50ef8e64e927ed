package dev.braid.chaos.sim.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.sim.FaultCounts;
import dev.braid.chaos.sim.FaultCounts.Incident;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests runs from a topic under random faults. A run that fails reports its seed. */
class StreamSimulationTest {

  private static final int RUNS = 30 * Integer.getInteger("braid.test.tries", 100);

  /** Number of runs that is enough for every incident to occur. */
  private static final int ENOUGH = 2_000;

  @Test
  void eachOffsetIsUsedOnce_inDealsOfTheLineage_whateverFails() {
    long first = System.nanoTime();
    System.out.printf("%d runs from a topic, seeds from %d%n", RUNS, first);
    FaultCounts counts = new FaultCounts();
    for (int i = 0; i < RUNS; i++) {
      RunChoice choice = RunChoice.of(first + i).withKind(FaultRunKind.STREAM);
      counts.add(RandomRun.of(choice).run().faults());
    }
    System.out.println(counts);
    if (RUNS >= ENOUGH) {
      List<Incident> never =
          Arrays.stream(Incident.values()).filter(incident -> counts.of(incident) == 0).toList();
      assertThat(never).isEmpty();
    }
  }
}
