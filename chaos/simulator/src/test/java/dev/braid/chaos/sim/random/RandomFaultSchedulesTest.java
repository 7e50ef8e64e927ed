package dev.braid.chaos.sim.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.sim.SimulationResult;
import org.junit.jupiter.api.Test;

/** The beginning of the many runs that {@link RandomFaultSchedules} does. */
class RandomFaultSchedulesTest {

  /** A system property of the build, for many more. */
  private static final int RUNS = Integer.getInteger("braid.faults.schedules", 400);

  @Test
  void everyRunPasses_andEveryKindOfFaultHits() throws Exception {
    RandomFaultSchedules schedules = new RandomFaultSchedules(RUNS, 1);
    schedules.run(Runtime.getRuntime().availableProcessors());
    schedules.report();
    assertThat(schedules.failures()).isEmpty();
    assertThat(schedules.neverHappened()).isEmpty();
    assertThat(schedules.done()).isEqualTo(RUNS);
  }

  @Test
  void theSameSeed_isTheSameRun() {
    for (long seed = 0; seed < 20; seed++) {
      SimulationResult first = new RandomFaultRun(seed).run();
      SimulationResult second = new RandomFaultRun(seed).run();
      assertThat(second.digest()).isEqualTo(first.digest());
      assertThat(second.faults()).hasToString(first.faults().toString());
    }
  }
}
