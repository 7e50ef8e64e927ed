package dev.braid.job.models;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.braid.connectors.registry.ModelVersion;
import dev.braid.run.result.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.stream.Collectors;

/** Text of versions, for the terminal and in JSON. */
final class VersionText {

  /** Part of the names of figures that are shares, shown in per cent. */
  private static final String SHARE = "accuracy";

  /** Names of the figures on test samples, which come before others. */
  private static final List<String> FIRST = List.of("loss", SHARE, "r2");

  /** Maximum number of names in a line. */
  private static final int MOST_NAMES = 20;

  private VersionText() {}

  /** Returns a time in UTC, to the second. */
  static String time(long epochMillis) {
    return Instant.ofEpochMilli(epochMillis).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** Returns a number with commas between thousands. */
  static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /**
   * Returns the names of the figures that some versions have of test samples: loss, accuracy, R².
   */
  static List<String> testFigures(Collection<ModelVersion> versions) {
    return figures(versions).stream().filter(FIRST::contains).toList();
  }

  /** Returns the names of all figures of some versions, those on test samples first. */
  static List<String> figures(Collection<ModelVersion> versions) {
    return versions.stream()
        .flatMap(version -> version.figures().keySet().stream())
        .distinct()
        .sorted(Comparator.comparingInt(VersionText::rank).thenComparing(Comparator.naturalOrder()))
        .toList();
  }

  private static int rank(String figure) {
    return FIRST.contains(figure) ? FIRST.indexOf(figure) : FIRST.size();
  }

  /** Returns a figure with its unit. */
  static String figure(String name, double value) {
    return name.toLowerCase(Locale.ROOT).contains(SHARE)
        ? String.format(Locale.ROOT, "%.2f %%", 100 * value)
        : String.format(Locale.ROOT, "%.4f", value);
  }

  /** Returns the first and the last of some numbers, as names. */
  static String range(SortedSet<Integer> numbers) {
    String first = ModelVersion.name(numbers.first());
    return numbers.size() == 1 ? first : first + " to " + ModelVersion.name(numbers.last());
  }

  /** Returns a version as a line of JSON. */
  static String json(ModelVersion version, String state) {
    ObjectNode line = Json.read(version.toJson(), ObjectNode.class);
    line.put("inService", !state.isEmpty());
    line.put("pinned", state.endsWith("pinned"));
    return Json.write(line);
  }

  /** Returns rows as lines, with two blanks between columns. */
  static List<String> table(List<List<String>> rows) {
    int columns = rows.stream().mapToInt(List::size).max().orElse(0);
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < row.size() - 1; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  private static String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < row.size(); i++) {
      line.append(row.get(i)).append(" ".repeat(Math.max(0, widths[i] - row.get(i).length()) + 2));
    }
    return line.toString().stripTrailing();
  }

  /** Returns names separated by commas, or the first and the last of many. */
  static String names(SortedSet<Integer> numbers) {
    if (numbers.isEmpty()) {
      return "none";
    }
    return numbers.size() > MOST_NAMES
        ? "%s, in all %,d".formatted(range(numbers), numbers.size())
        : numbers.stream().map(ModelVersion::name).collect(Collectors.joining(", "));
  }
}
