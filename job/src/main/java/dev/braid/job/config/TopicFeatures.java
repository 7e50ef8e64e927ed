package dev.braid.job.config;

import dev.braid.connectors.text.TableColumn;
import dev.braid.connectors.text.TextFormat;
import dev.braid.job.console.UsageException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The features of a topic's records: a list of field names, or settings for each field name. A
 * field is a number, a date, an array of numbers, or a text. A text becomes one number for each of
 * its categories, or for each bucket of its hashes.
 */
final class TopicFeatures {

  private static final String KEY = "features";

  private static final List<String> KEYS =
      List.of("mean", "deviation", "fill", "categories", "hash", "date", "width");

  private static final List<String> OF_NUMBERS =
      List.of("mean", "deviation", "fill", "date", "width");

  /**
   * Largest number of columns, which is that of a table: a topic's model predicts rows of tables.
   */
  private static final int MOST_COLUMNS = (1 << 17) - 1;

  private static final int MOST_BUCKETS = TextFormat.MAX_FEATURES;

  /** Value of {@code features} in other data files: the number of features of a sample. */
  private static final Pattern COUNT = Pattern.compile("\\d+");

  private final List<TableColumn> columns = new ArrayList<>();
  private final YamlSettings settings;
  private long numbers;

  private TopicFeatures(YamlSettings settings) {
    this.settings = settings;
  }

  /**
   * Reads the features of a topic.
   *
   * @throws UsageException if there is none, or one is impossible
   */
  static TopicFeatures of(YamlSettings settings) {
    TopicFeatures features = new TopicFeatures(settings);
    features.read();
    return features;
  }

  /** Returns the columns of the features, numbered from 0. */
  List<TableColumn> columns() {
    return columns;
  }

  private void read() {
    if (!settings.keys().contains(KEY)) {
      throw settings.mistake(KEY + ", the fields from which a model learns, is needed");
    }
    if (settings.settings(KEY).isPresent()) {
      YamlSettings fields = settings.settings(KEY).get();
      for (String name : fields.keys()) {
        checkName(fields, name, name);
        add(name, fields.settingsIfAny(name));
        checkCount(fields, name);
      }
    } else {
      List<String> names = settings.list(KEY);
      if (!settings.isList(KEY) && names.size() == 1 && COUNT.matcher(names.get(0)).matches()) {
        throw settings.mistake(KEY, names.get(0), "must be a list of the names of fields");
      }
      checkOnce(settings, KEY, names);
      for (String name : names) {
        checkName(settings, KEY, name);
        columns.add(TableColumn.numbers(columns.size(), name));
      }
    }
    if (columns.isEmpty()) {
      throw settings.mistake(KEY, KEY + ": at least one field is needed");
    }
  }

  /** Refuses names that are empty or could be mistaken for elements of an array. */
  static void checkName(YamlSettings settings, String key, String name) {
    if (name.isBlank() || name.endsWith("]")) {
      throw settings.mistake(
          key,
          "field '%s': the name must not be empty or end with ]; an array has 'width'"
              .formatted(name));
    }
  }

  /** Refuses lists with duplicates. */
  static void checkOnce(YamlSettings settings, String key, List<String> texts) {
    Set<String> seen = new HashSet<>();
    for (String text : texts) {
      if (!seen.add(text)) {
        throw settings.mistake(key, "%s: '%s' is given twice".formatted(key, text));
      }
    }
  }

  private void checkCount(YamlSettings fields, String name) {
    numbers += columns.get(columns.size() - 1).width();
    if (columns.size() > MOST_COLUMNS || numbers > TextFormat.MAX_FEATURES) {
      throw fields.mistake(
          name,
          "%s: makes more than %d fields and numbers of arrays, or more than %d numbers"
              .formatted(name, MOST_COLUMNS, TextFormat.MAX_FEATURES));
    }
  }

  private void add(String name, YamlSettings field) {
    field.require(KEYS);
    int index = columns.size();
    if (field.keys().contains("categories")) {
      field.requireNone(OF_NUMBERS, "only for numbers: " + name + " has categories");
      field.requireNone(List.of("hash"), "use either 'hash' or 'categories', not both");
      columns.add(new TableColumn(index, name, 0, 1, categories(field)));
    } else if (field.keys().contains("hash")) {
      field.requireNone(OF_NUMBERS, "only for numbers: " + name + " is hashed");
      int buckets = field.number("hash", 2, MOST_BUCKETS).orElseThrow();
      columns.add(TableColumn.hashed(index, name, buckets));
    } else if (field.keys().contains("width")) {
      field.requireNone(List.of("date"), "an array has numbers, not dates");
      int width = field.number("width", 1, MOST_COLUMNS).orElseThrow();
      for (int i = 0; i < width; i++) {
        columns.add(number(index + i, name + "[" + i + "]", field));
      }
    } else {
      columns.add(number(index, name, field));
    }
  }

  private static List<String> categories(YamlSettings field) {
    List<String> categories = field.list("categories").stream().map(String::strip).toList();
    if (categories.isEmpty() || categories.size() > MOST_BUCKETS) {
      throw field.mistake("categories", "categories: must be a list of 1 text or more");
    }
    checkOnce(field, "categories", categories);
    return categories;
  }

  private static TableColumn number(int index, String name, YamlSettings field) {
    double deviation = field.decimal("deviation").orElse(1.0);
    if (deviation <= 0) {
      throw field.mistake(
          "deviation", field.text("deviation").orElseThrow(), "must be a number above 0");
    }
    return new TableColumn(
        index,
        name,
        field.decimal("mean").orElse(0.0),
        deviation,
        List.of(),
        field.flag("date").orElse(false),
        field.decimal("fill").orElse(Double.NaN));
  }
}
