package dev.braid.bench.recovery;

import dev.braid.bench.Stats;
import dev.braid.bench.recovery.SpareCluster.Spare;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Measures how long a training is interrupted if a TaskManager is killed and another has free
 * slots, on a cluster of separate processes that {@code bench/recovery} starts: the time from
 * {@code kill -9} to the next round, and its parts.
 *
 * <p>A cold spare has not run anything yet. A warm spare has run another job, so that Java has
 * loaded its classes and the native libraries.
 */
public final class RecoveryBenchmark {

  private RecoveryBenchmark() {}

  /**
   * Runs the benchmark; the arguments are the cluster's folder, its address, the job's id, the
   * launcher, and the number of kills.
   */
  public static void main(String[] args) throws Exception {
    SpareCluster cluster = new SpareCluster(Path.of(args[0]), args[1], args[2], Path.of(args[3]));
    int kills = Integer.parseInt(args[4]);
    Map<Spare, List<KilledAt>> all = new EnumMap<>(Spare.class);
    System.out.println(
        "# spare: ms from kill -9 to the next round = detection + restart + restore + first round; rounds done again; load");
    int done = 0;
    for (int turn = 0; turn < kills; turn++) {
      for (Spare spare : Spare.values()) {
        cluster.provide(spare);
        KilledAt killed = cluster.kill();
        all.computeIfAbsent(spare, it -> new ArrayList<>()).add(killed);
        System.out.printf(
            Locale.ROOT,
            "%s: %s; %d; %.1f%n",
            spare.title(),
            killed,
            killed.repeatedRounds(),
            ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
        done++;
      }
    }
    all.forEach((spare, measured) -> System.out.println(medians(spare, measured)));
    System.out.printf(
        Locale.ROOT,
        "# %d kills, and %d restarts without one%n",
        done,
        cluster.recoveries().size() - done);
  }

  private static String medians(Spare spare, List<KilledAt> measured) {
    return String.format(
        Locale.ROOT,
        "# %s, median of %d: %.1f s (most %.1f) = detection %.1f + restart %.1f + restore %.1f + first round %.1f",
        spare.title(),
        measured.size(),
        seconds(measured, KilledAt::totalMillis).median(),
        seconds(measured, KilledAt::totalMillis).max(),
        seconds(measured, KilledAt::detectionMillis).median(),
        seconds(measured, it -> it.recovery().restartMillis()).median(),
        seconds(measured, it -> it.recovery().restoreMillis()).median(),
        seconds(measured, it -> it.recovery().firstRoundMillis()).median());
  }

  private static Stats seconds(List<KilledAt> measured, ToLongFunction<KilledAt> millis) {
    return Stats.of(measured.stream().mapToDouble(it -> millis.applyAsLong(it) / 1000.0).toArray());
  }
}
