package dev.braid.job.train;

import dev.braid.chaos.ChaosConfig;
import dev.braid.chaos.event.Action;
import dev.braid.chaos.event.Happening;
import dev.braid.chaos.event.Happening.Outcome;
import dev.braid.chaos.event.HappeningLog;
import dev.braid.chaos.event.HappeningLog.Entry;
import dev.braid.chaos.event.InvalidEventException;
import dev.braid.files.PlacedFile;
import dev.braid.job.console.Places;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Summary of a run's chaos events and their effects, from the run's logs. */
final class ChaosSummary {

  private ChaosSummary() {}

  /**
   * Returns a one-line summary of a run that has ended.
   *
   * @param run id of the Flink job; after a restore, a log also has the lines of earlier jobs
   */
  static String of(ChaosConfig config, String run) {
    PlacedFile log = new PlacedFile(config.appliedFile());
    PlacedFile deadLetters = new PlacedFile(config.deadLetterFile());
    try {
      List<Entry> entries = entries(log, run);
      long refused = count(deadLetters);
      Set<String> seen = events(entries, entry -> true);
      Set<String> took = events(entries, ChaosSummary::tookEffect);
      Set<String> applied = events(entries, happening -> happening.outcome() == Outcome.APPLIED);
      long untouched = applied.stream().filter(event -> !took.contains(event)).count();
      Set<String> neverDue = events(entries, Happening::isNeverDue);
      return took.size()
          + (took.size() == 1 ? " event" : " events")
          + " took effect, "
          + (untouched == 0 ? "" : untouched + " affected no message, ")
          + (seen.size() - took.size() - untouched - neverDue.size())
          + " changed nothing"
          + (neverDue.isEmpty() ? "" : ", " + neverDue.size() + " did not start before the end")
          + "; log in "
          + Places.shown(log.place())
          + (refused == 0
              ? ""
              : "; refused: " + refused + ", in " + Places.shown(deadLetters.place()));
    } catch (IOException | UncheckedIOException e) {
      return "the log cannot be read: " + log;
    }
  }

  /** Returns whether an event has affected a message or a rank, or has ended a fault in force. */
  private static boolean tookEffect(Happening happening) {
    Action action = happening.event().action();
    return happening.outcome() == Outcome.TOUCHED
        || (happening.outcome() == Outcome.APPLIED
            && (action.ends() || action instanceof Action.Straggle));
  }

  /**
   * Returns the keys of events. Lines are not counted, because faults in force are logged again
   * after a failure.
   */
  private static Set<String> events(List<Entry> entries, Predicate<Happening> which) {
    return entries.stream()
        .map(Entry::happening)
        .filter(which)
        .map(happening -> happening.event().key())
        .collect(Collectors.toSet());
  }

  private static List<Entry> entries(PlacedFile log, String run) throws IOException {
    try (BufferedReader lines = reader(log)) {
      return lines
          .lines()
          .flatMap(line -> entry(line).stream())
          .filter(entry -> entry.run().equals(run))
          .toList();
    }
  }

  /** Parses a line; empty for an incomplete line, as on a full disk. */
  private static Optional<Entry> entry(String line) {
    try {
      return Optional.of(HappeningLog.read(line));
    } catch (InvalidEventException e) {
      return Optional.empty();
    }
  }

  private static long count(PlacedFile log) throws IOException {
    try (BufferedReader lines = reader(log)) {
      return lines.lines().count();
    }
  }

  private static BufferedReader reader(PlacedFile log) throws IOException {
    return new BufferedReader(new InputStreamReader(log.open(), StandardCharsets.UTF_8));
  }
}
