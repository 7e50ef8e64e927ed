package dev.braid.chaos.sim.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.sim.FaultCounts.Response;
import dev.braid.chaos.sim.SimulationResult;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Executes the first of the many runs of {@link RandomFaultSchedules}. */
class RandomFaultSchedulesTest {

  /** Number of runs; a system property of the build sets a larger one. */
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

  /** Seeds with which a rank of a separated tree is excluded, which is rare in random runs. */
  private static final long[] SEEDS_WITH_A_RANK_LEFT_OUT = {
    // The rank is excluded at the checkpoint from which all are restored.
    1215317760624659706L,
    8948442824674703462L,
    // The rank is excluded at the end.
    4670339961019375834L
  };

  @Test
  void runsInWhichARankIsLeftOut_pass() {
    for (long seed : SEEDS_WITH_A_RANK_LEFT_OUT) {
      RandomFaultRun run = new RandomFaultRun(seed, Optional.of(FaultRunKind.FT_TREE_PARTED));
      assertThat(run.run().faults().of(Response.LEFT_OUT)).isPositive();
    }
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
