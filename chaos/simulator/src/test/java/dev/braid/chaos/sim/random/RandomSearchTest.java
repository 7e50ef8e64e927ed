package dev.braid.chaos.sim.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.sim.FaultCounts.Response;
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
      RandomFaultRun run =
          new RandomFaultRun(RunChoice.of(seed).withKind(FaultRunKind.FT_TREE_PARTED));
      assertThat(run.run().faults().of(Response.LEFT_OUT)).isPositive();
    }
  }

  @Test
  void theSameSeed_isTheSameRun() {
    for (long seed = 0; seed < 100; seed++) {
      SimulationResult first = new RandomFaultRun(RunChoice.of(seed)).run();
      SimulationResult second = new RandomFaultRun(RunChoice.of(seed)).run();
      assertThat(second.digest()).isEqualTo(first.digest());
      assertThat(second.faults()).hasToString(first.faults().toString());
    }
  }
}
