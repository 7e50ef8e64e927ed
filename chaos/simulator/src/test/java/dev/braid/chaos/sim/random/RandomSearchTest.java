package dev.braid.chaos.sim.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.sim.SimulationResult;
import org.junit.jupiter.api.Test;

class RandomSearchTest {

  private static final int RUNS = 2_000;

  @Test
  void everyRunPasses() throws Exception {
    RandomSearch search = new RandomSearch(RunChoice.of(1), RUNS, Long.MAX_VALUE);
    search.run(Runtime.getRuntime().availableProcessors());
    assertThat(search.end()).isZero();
    assertThat(search.failures()).isEmpty();
  }

  @Test
  void theSameSeed_isTheSameRun() {
    for (long seed = 0; seed < 100; seed++) {
      SimulationResult.Summary first = RandomRun.of(RunChoice.of(seed)).run();
      SimulationResult.Summary second = RandomRun.of(RunChoice.of(seed)).run();
      assertThat(second.digest()).isEqualTo(first.digest());
      assertThat(second.faults()).hasToString(first.faults().toString());
    }
  }
}
