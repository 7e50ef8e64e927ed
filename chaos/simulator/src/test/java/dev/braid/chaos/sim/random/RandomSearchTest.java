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

  /**
   * The master and most workers have completed a round without two workers that have not evaluated
   * the epoch before it. These must do so for the checkpoint.
   */
  @Test
  void aCheckpointAtTheEndOfAnEpoch_waitsForEvaluations() {
    RunChoice choice = RunChoice.of(102_798_614).withKind(FaultRunKind.CODED);
    assertThat(RandomRun.of(choice).failure()).isEmpty();
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
