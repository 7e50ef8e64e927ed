package dev.braid.chaos.sim.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.sim.random.RescaledRun.Change;
import dev.braid.chaos.sim.random.RescaledRun.Way;
import dev.braid.chaos.sim.suite.ShareOfTries;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

/**
 * Tests runs that are saved under one exchange and resume under another, for all pairs of
 * exchanges, with the same or another number of workers.
 */
class RescaledRunTest {

  /** Tests all pairs, or a share of them that differs between builds. */
  @Property(tries = 1, shrinking = ShrinkingMode.OFF)
  void fromAnyExchangeToAny(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 4) int workers,
      @ForAll @IntRange(min = 1, max = 4) int others) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Way> ways = RescaledRun.ways();
    int step = 100 / ShareOfTries.percent();
    int offset = random.nextInt(step);
    int apart = 0;
    for (int before = 0; before < ways.size(); before++) {
      for (int after = (before + offset) % step; after < ways.size(); after += step) {
        if (ways.get(after).weighs() && before != after) {
          continue;
        }
        for (int workersAfter : new int[] {workers, ways.get(after).weighs() ? workers : others}) {
          RescaledRun run =
              new RescaledRun(
                  RunChoice.of(random.nextLong()),
                  new Change(ways.get(before), workers, ways.get(after), workersAfter));
          assertThat(run.failure()).as("%s", run).isEmpty();
          apart += run.wasInStep() ? 0 : 1;
        }
      }
    }
    assertThat(apart > 0).as("some workers were apart").isEqualTo(workers > 1);
  }
}
