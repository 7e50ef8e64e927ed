package dev.braid.connectors.text;

import dev.braid.connectors.file.Texts;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Texts in columns of categories that no training row had: they give 0 for all categories, as if
 * there were none, which a model may never have seen.
 */
final class UnknownTexts {

  private static final class Found {
    final String first;
    final int line;
    long count;

    Found(String first, int line) {
      this.first = first;
      this.line = line;
    }
  }

  private final TextPlace place;
  private final List<TableColumn> columns;
  private final Map<Integer, Found> byColumn = new TreeMap<>();

  /**
   * @param columns of the features
   */
  UnknownTexts(TextPlace place, List<TableColumn> columns) {
    this.place = place;
    this.columns = columns;
  }

  /**
   * The row that was read last has one.
   *
   * @param column which of the features' columns
   */
  void add(int column, String text) {
    byColumn.computeIfAbsent(column, key -> new Found(text, place.line())).count++;
  }

  /** What there is to say of each column, in the order of the features. */
  List<String> sentences() {
    return byColumn.entrySet().stream()
        .map(of -> sentence(columns.get(of.getKey()), of.getValue()))
        .toList();
  }

  private String sentence(TableColumn column, Found found) {
    return String.format(
        Locale.ROOT,
        "%s: %s: %s in line %d%s: no training row had %s, and it counts as no category",
        place.name(),
        column.title(),
        Texts.quote(found.first),
        found.line,
        found.count == 1 ? "" : ", first of %,d".formatted(found.count),
        found.count == 1 ? "this text" : "such a text");
  }
}
