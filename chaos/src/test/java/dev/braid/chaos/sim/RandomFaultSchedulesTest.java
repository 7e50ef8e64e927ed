package dev.braid.chaos.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.event.Schedule.Faults;
import dev.braid.exchange.LinkTimeout;
import org.junit.jupiter.api.Test;

/**
 * Many random fault schedules with a path left, over trees that are full and trees that are not: no
 * wrong sum, no sample twice, nothing stuck. {@code -Dbraid.faults.schedules=10000} runs so many,
 * {@code -Dbraid.faults.seed=…} others; a failure names the seed of the one.
 */
class RandomFaultSchedulesTest {

  private static final int[] RANKS = {3, 7, 15, 31, 2, 4, 5, 6, 8, 10, 12, 20, 23, 27, 30};

  @Test
  void everySumIsRight_andNothingStuck() {
    int schedules = Integer.getInteger("braid.faults.schedules", 150);
    long seed = Long.getLong("braid.faults.seed", 1);
    System.out.println(schedules + " fault schedules from seed " + seed);
    FaultRuns runs = new FaultRuns(LinkTimeout.ADAPTIVE::faultTolerantTree);
    long events = 0;
    for (int i = 0; i < schedules; i++) {
      int ranks = RANKS[i % RANKS.length];
      SimulationResult result = runs.run(ranks, seed + i, Faults.PATH_LEFT);
      for (float[] replica : result.replicas()) {
        assertThat(replica).as("seed %d", seed + i).isEqualTo(result.replicas()[0]);
      }
      events += result.events();
    }
    System.out.println(schedules + " fault schedules passed, " + events + " events");
  }
}
