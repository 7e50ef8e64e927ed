package dev.braid.chaos.sim.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.sim.condition.Seeds;
import dev.braid.chaos.sim.stream.StreamMistake;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
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
    search(mistake, mistake.kind(), mistake::run);
  }

  @ParameterizedTest
  @EnumSource
  void theSearchFindsItInStreams(StreamMistake mistake) {
    search(
        mistake, FaultRunKind.STREAM, choice -> new RandomStreamRun(choice, Optional.of(mistake)));
  }

  private static void search(
      Enum<?> mistake, FaultRunKind kind, Function<RunChoice, RandomRun> mistaken) {
    long begin = cpuNanos();
    Optional<String> found = Optional.empty();
    long runs = 0;
    while (found.isEmpty() && seconds(begin) < MOST_SECONDS) {
      found = failureOf(mistaken, RunChoice.of(Seeds.mix(1, runs)).withKind(kind));
      runs++;
    }
    double seconds = seconds(begin);
    assertThat(found).as("%s, in %d runs of %s", mistake, runs, kind).isPresent();
    System.out.printf(
        Locale.ROOT,
        "%s: found in run %d of %s (seed %d), after %.1f s: %s%n",
        mistake,
        runs,
        kind.title(),
        Seeds.mix(1, runs - 1),
        seconds,
        found.orElseThrow());
  }

  /**
   * Returns the first line of the failure of a run. Empty if it does not fail, or if it does not
   * pass without the mistake in as few events.
   */
  private static Optional<String> failureOf(
      Function<RunChoice, RandomRun> mistaken, RunChoice choice) {
    return mistaken
        .apply(choice)
        .failure()
        .filter(what -> RandomRun.of(choice).run().events() < PlantedMistake.MAX_EVENTS)
        .map(what -> what.lines().findFirst().orElse(""));
  }

  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static double seconds(long beginNanos) {
    return (cpuNanos() - beginNanos) / 1e9;
  }
}
