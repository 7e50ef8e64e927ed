package dev.braid.connectors.text;

import dev.braid.connectors.file.Texts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Texts in categorical columns that no training row had. They give 0 for all categories, an input
 * that a model may never have seen in training.
 */
final class UnknownTexts {

  /** Effect of such a text, for messages. */
  private static final String EFFECT = ": no training row had this text; it counts as no category";

  private static final String EFFECT_OF_SEVERAL =
      ": no training row had such a text; it counts as no category";

  /** Number of texts per column that are reported individually when they first occur. */
  private static final int NAMED = 10;

  private static final class Found {
    final String first;
    final int line;
    final Set<String> named = new HashSet<>();
    long count;

    Found(String first, int line) {
      this.first = first;
      this.line = line;
    }
  }

  private final TextPlace place;
  private final List<TableColumn> columns;
  private final Map<Integer, Found> byColumn = new TreeMap<>();
  private final List<String> news = new ArrayList<>();

  /**
   * @param columns the features' columns
   */
  UnknownTexts(TextPlace place, List<TableColumn> columns) {
    this.place = place;
    this.columns = columns;
  }

  /**
   * Adds a text of the most recent row.
   *
   * @param column index among the features' columns
   */
  void add(int column, String text) {
    Found found = byColumn.computeIfAbsent(column, key -> new Found(text, place.line()));
    found.count++;
    if (found.named.size() < NAMED && found.named.add(text)) {
      news.add(place(columns.get(column), text, place.line()) + EFFECT);
    }
  }

  /** Returns a sentence for each text that has first occurred since the last call. */
  List<String> news() {
    if (news.isEmpty()) {
      return List.of();
    }
    List<String> taken = List.copyOf(news);
    news.clear();
    return taken;
  }

  /**
   * Returns a sentence for each column with at least {@code least} such texts, in the order of the
   * features: their number, and the first.
   */
  List<String> sentences(int least) {
    return byColumn.entrySet().stream()
        .filter(of -> of.getValue().count >= least)
        .map(of -> sentence(columns.get(of.getKey()), of.getValue()))
        .toList();
  }

  /** Returns the first such text, with its position. */
  Optional<String> first() {
    return byColumn.entrySet().stream()
        .min(Comparator.comparingInt(of -> of.getValue().line))
        .map(of -> place(columns.get(of.getKey()), of.getValue().first, of.getValue().line));
  }

  private String sentence(TableColumn column, Found found) {
    return found.count == 1
        ? place(column, found.first, found.line) + EFFECT
        : place(column, found.first, found.line)
            + String.format(Locale.ROOT, ", first of %,d", found.count)
            + EFFECT_OF_SEVERAL;
  }

  private String place(TableColumn column, String text, int line) {
    return "%s: %s: %s in line %d".formatted(place.name(), column.title(), Texts.quote(text), line);
  }
}
