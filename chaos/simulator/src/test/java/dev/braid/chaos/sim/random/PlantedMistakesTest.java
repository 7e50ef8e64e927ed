package dev.braid.chaos.sim.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.sim.condition.Seeds;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that the random search finds planted mistakes, each within a minute of processor time.
 * Without this, a search that finds nothing would prove nothing.
 */
class PlantedMistakesTest {

  private static final double MOST_SECONDS = 60;

  @ParameterizedTest
  @EnumSource
  void theSearchFindsIt(PlantedMistake mistake) {
    long begin = cpuNanos();
    Optional<String> found = Optional.empty();
    long runs = 0;
    while (found.isEmpty() && seconds(begin) < MOST_SECONDS) {
      found = failureOf(mistake, Seeds.mix(1, runs));
      runs++;
    }
    double seconds = seconds(begin);
    assertThat(found).as("%s, in %d runs of %s", mistake, runs, mistake.kind()).isPresent();
    System.out.printf(
        Locale.ROOT,
        "%s: found in run %d of %s (seed %d), after %.1f s: %s%n",
        mistake,
        runs,
        mistake.kind().title(),
        Seeds.mix(1, runs - 1),
        seconds,
        found.orElseThrow());
  }

  /**
   * Returns the first line of the failure of a run. Empty if it does not fail, or if it does not
   * pass without the mistake in as few events.
   */
  private static Optional<String> failureOf(PlantedMistake mistake, long seed) {
    RunChoice choice = RunChoice.of(seed).withKind(mistake.kind());
    return mistake
        .run(choice)
        .failure()
        .filter(what -> new RandomFaultRun(choice).run().events() < PlantedMistake.MAX_EVENTS)
        .map(what -> what.lines().findFirst().orElse(""));
  }

  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static double seconds(long beginNanos) {
    return (cpuNanos() - beginNanos) / 1e9;
  }
}
