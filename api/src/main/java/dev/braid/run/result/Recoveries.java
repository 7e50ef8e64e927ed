package dev.braid.run.result;

import dev.braid.loop.coordinator.Recovery;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * Recoveries of a run from failures. Each recovery is reported at least once: what a report learned
 * after its last checkpoint is lost in the next failure and then reported again. The time of a
 * recovery identifies it.
 */
public final class Recoveries {

  /**
   * Maximum number of notes: a run may have any number of recoveries, and the older ones have been
   * shown.
   */
  private static final int MOST_NOTES = 16;

  private final NavigableMap<Long, Recovery> byMillis = new TreeMap<>();

  /** Adds recoveries that were reported. */
  public void add(Iterable<Recovery> told) {
    told.forEach(recovery -> byMillis.put(recovery.atMillis(), recovery));
  }

  /** Returns all known recoveries, oldest first. */
  public List<Recovery> all() {
    return List.copyOf(byMillis.values());
  }

  /** Returns all known recoveries; empty if there are none. */
  public Optional<List<Recovery>> known() {
    return byMillis.isEmpty() ? Optional.empty() : Optional.of(all());
  }

  /** Returns a line for the user on each of the latest recoveries. */
  public List<String> notes() {
    List<Recovery> all = all();
    List<String> notes = new ArrayList<>();
    for (int i = Math.max(0, all.size() - MOST_NOTES); i < all.size(); i++) {
      notes.add(live(i + 1, all.get(i)));
    }
    return notes;
  }

  // ---- in words --------------------------------------------------------------------------------

  /** Describes one recovery that is over. */
  static String live(int number, Recovery recovery) {
    return "recovery " + number + ": " + inWords(List.of(recovery));
  }

  /**
   * Describes all recoveries of a run, of which there is at least one.
   *
   * @param ledgerExact whether each sample was used exactly once in each epoch
   */
  static String inWords(List<Recovery> recoveries, boolean ledgerExact) {
    return recoveries.size()
        + ": "
        + inWords(recoveries)
        + (ledgerExact ? "; no sample lost, none used twice" : "");
  }

  private static String inWords(List<Recovery> recoveries) {
    return times(recoveries) + " (" + parts(recoveries) + ")" + repeated(recoveries);
  }

  private static String times(List<Recovery> recoveries) {
    long least = recoveries.stream().mapToLong(Recovery::totalMillis).min().orElseThrow();
    long most = recoveries.stream().mapToLong(Recovery::totalMillis).max().orElseThrow();
    return recoveries.size() == 1
        ? seconds(most) + " s"
        : "%s to %s s, %s s in all"
            .formatted(
                seconds(least), seconds(most), seconds(sum(recoveries, Recovery::totalMillis)));
  }

  private static String parts(List<Recovery> recoveries) {
    boolean isDetectionKnown =
        recoveries.stream().allMatch(it -> it.detectionMillis() != Recovery.UNKNOWN);
    long detection = sum(recoveries, it -> Math.max(0, it.detectionMillis()));
    long restart = sum(recoveries, Recovery::restartMillis);
    return (isDetectionKnown
            ? "detection %s, restart %s".formatted(seconds(detection), seconds(restart))
            : "detection and restart " + seconds(detection + restart))
        + ", restore %s, first round %s"
            .formatted(
                seconds(sum(recoveries, Recovery::restoreMillis)),
                seconds(sum(recoveries, Recovery::firstRoundMillis)));
  }

  private static String repeated(List<Recovery> recoveries) {
    boolean isKnown = recoveries.stream().allMatch(it -> it.repeatedRounds() != Recovery.UNKNOWN);
    long rounds = sum(recoveries, Recovery::repeatedRounds);
    return isKnown
        ? String.format(Locale.ROOT, ", %,d round%s repeated", rounds, rounds == 1 ? "" : "s")
        : "";
  }

  private static long sum(List<Recovery> recoveries, ToLongFunction<Recovery> figure) {
    return recoveries.stream().mapToLong(figure).sum();
  }

  private static String seconds(long millis) {
    return String.format(Locale.ROOT, "%.1f", millis / 1000.0);
  }
}
