package dev.braid.job.config;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.record.RecordForm;
import dev.braid.connectors.text.Labels;
import dev.braid.connectors.text.Missing;
import dev.braid.connectors.text.TableColumn;
import dev.braid.connectors.text.TableSchema;
import dev.braid.connectors.topic.StreamBound;
import dev.braid.connectors.topic.StreamTopic;
import dev.braid.exchange.option.TypedTime;
import dev.braid.job.console.UsageException;
import dev.braid.vector.Range;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The settings of a data file whose place is a Kafka topic: the form of its records, and which of
 * them a run reads.
 */
public final class TopicSettings {

  /** Settings that only a topic has. */
  static final List<String> OWN =
      List.of(
          "format",
          "weight",
          "key",
          "holdout",
          "from",
          "until",
          "window",
          "max-wait",
          "lost-offsets",
          "lineage");

  /** All settings of a topic. */
  static final List<String> KEYS =
      Stream.of(
              List.of(
                  DataSettings.PLACE,
                  "features",
                  "label",
                  "regression",
                  "classes",
                  "missing",
                  "standardize"),
              OWN)
          .flatMap(List::stream)
          .toList();

  private static final int MOST_CLASSES = 1 << 20;
  private static final int MOST_ROUNDS = 1_000_000_000;
  private static final int ROUNDS = 1000;
  private static final Duration MAX_WAIT = Duration.ofMillis(200);

  /** Topic names that Kafka allows. */
  private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

  private static final Pattern PARTITION = Pattern.compile("\\d{1,9}");
  private static final Pattern OFFSET = Pattern.compile("\\d{1,18}");

  private static final String POSITIONS =
      "a time with its zone, such as 2026-11-28T10:15:00Z, or offsets, such as {0: 17, 1: 4}";

  private final YamlSettings settings;
  private final String place;
  private final RecordForm form;
  private final StreamBound from;
  private final Optional<StreamBound> until;
  private final int window;
  private final Duration maxWait;
  private final boolean skipsLost;
  private final boolean standardizes;
  private final Optional<String> lineage;

  private TopicSettings(YamlSettings settings) {
    this.settings = settings;
    this.place = place(settings);
    this.form = readForm();
    this.from = readFrom();
    this.until = readUntil();
    this.window = settings.number("window", 1, MOST_ROUNDS).orElse(ROUNDS);
    this.maxWait = readMaxWait();
    this.skipsLost =
        settings.choice("lost-offsets", List.of(Lost.values())).orElse(Lost.FAIL) == Lost.SKIP;
    this.standardizes = settings.flag("standardize").orElse(false);
    if (standardizes && numbers().isEmpty()) {
      throw settings.mistake(
          "standardize", "standardize: only for numbers, and all features are texts");
    }
    this.lineage = settings.text("lineage").map(this::checkedLineage);
    checkOrder();
  }

  private String checkedLineage(String text) {
    if (!StreamTopic.isPlace(text)) {
      throw settings.mistake(
          "lineage",
          text,
          "must be kafka: and a topic; without this setting, the lineage is a folder in "
              + "--out");
    }
    checkName(settings, "lineage", text);
    if (text.equals(place) || text.equals(place + StreamTopic.DEAD_LETTERS)) {
      throw settings.mistake(
          "lineage", text, "must not be the topic of the samples or of the dead letters");
    }
    return text;
  }

  /** Reaction to offsets that a run needs and the topic no longer has. */
  private enum Lost {
    FAIL,
    SKIP
  }

  private Duration readMaxWait() {
    return settings
        .text("max-wait")
        .map(
            text -> {
              try {
                return TypedTime.read(text);
              } catch (IllegalArgumentException e) {
                throw settings.mistake("max-wait", text, e.getMessage());
              }
            })
        .orElse(MAX_WAIT);
  }

  /**
   * Reads all settings, so that errors are found while their line numbers are known.
   *
   * @throws UsageException if a setting is unknown, missing or impossible
   */
  static TopicSettings of(YamlSettings settings) {
    settings.require(KEYS);
    return new TopicSettings(settings);
  }

  private static String place(YamlSettings settings) {
    String place = settings.text(DataSettings.PLACE, "the topic of the samples, is needed");
    checkName(settings, DataSettings.PLACE, place);
    return place;
  }

  private static void checkName(YamlSettings settings, String key, String place) {
    String topic = StreamTopic.nameIn(place);
    if (!TOPIC.matcher(topic).matches() || topic.equals(".") || topic.equals("..")) {
      throw settings.mistake(
          key,
          place,
          "must be a topic's name: up to 249 letters, digits, dots, underscores and hyphens");
    }
  }

  // ---- the form of records

  private RecordForm readForm() {
    List<TableColumn> columns = TopicFeatures.of(settings).columns();
    boolean regression = settings.flag("regression").orElse(false);
    if (regression) {
      settings.requireNone(
          List.of("classes"),
          "not possible with 'regression: true': labels are numbers, not classes");
    }
    List<TableColumn> labels = labels(columns.size(), regression);
    List<String> classes = regression ? List.of() : classes();
    try {
      TableSchema schema =
          new TableSchema(true, columns.size() + labels.size(), labels, columns, missing());
      return new RecordForm(
          settings
              .choice("format", List.of(RecordForm.Format.values()))
              .orElse(RecordForm.Format.JSON),
          schema,
          regression,
          classes,
          settings.text("key").orElse(""),
          weight(),
          settings.share("holdout").orElse(0.0));
    } catch (InvalidDataException e) {
      throw settings.mistake("features", e.getMessage());
    }
  }

  private List<TableColumn> labels(int firstIndex, boolean regression) {
    List<String> names = settings.list("label");
    if (names.isEmpty()) {
      throw settings.mistake(
          "label, the field of the class or of the number to predict, is needed");
    }
    if (!regression && names.size() > 1) {
      throw settings.mistake(
          "label", names.size() + " labels: only with 'regression: true'; a class has one field");
    }
    List<TableColumn> labels = new ArrayList<>();
    for (String name : names) {
      TopicFeatures.checkName(settings, "label", name);
      labels.add(TableColumn.numbers(firstIndex + labels.size(), name));
    }
    return labels;
  }

  private String weight() {
    Optional<String> name = settings.text("weight");
    name.ifPresent(it -> TopicFeatures.checkName(settings, "weight", it));
    return name.orElse("");
  }

  private List<String> classes() {
    if (!settings.keys().contains("classes")) {
      throw settings.mistake(
          "classes, a list of labels or the number of classes, is needed, or "
              + "'regression: true'");
    }
    List<String> names = settings.list("classes");
    List<String> classes =
        names.size() > 1 || settings.isList("classes")
            ? names
            : Labels.numbered(settings.number("classes", 2, MOST_CLASSES).orElseThrow());
    if (classes.size() < 2 || classes.stream().anyMatch(String::isBlank)) {
      throw settings.mistake("classes", "classes: must be 2 labels or more, none of them empty");
    }
    TopicFeatures.checkOnce(settings, "classes", classes);
    return classes;
  }

  private Missing missing() {
    return settings.choice("missing", List.of(Missing.FAIL, Missing.DROP)).orElse(Missing.FAIL);
  }

  // ---- positions

  private StreamBound readFrom() {
    if (!settings.keys().contains("from")) {
      return new StreamBound.Earliest();
    }
    return offsets("from")
        .orElseGet(
            () -> {
              String text = settings.text("from").orElseThrow();
              return switch (text) {
                case "earliest" -> new StreamBound.Earliest();
                case "latest" -> new StreamBound.Latest();
                default -> time("from", text, "earliest, latest, ");
              };
            });
  }

  private Optional<StreamBound> readUntil() {
    if (!settings.keys().contains("until")) {
      return Optional.empty();
    }
    return offsets("until")
        .or(
            () -> {
              String text = settings.text("until").orElseThrow();
              return Optional.of(
                  text.equals("latest")
                      ? new StreamBound.Latest()
                      : time("until", text, "latest, "));
            });
  }

  private StreamBound time(String key, String text, String words) {
    try {
      return new StreamBound.AtTime(OffsetDateTime.parse(text).toInstant().toEpochMilli());
    } catch (DateTimeParseException | ArithmeticException e) {
      throw settings.mistake(key, text, "must be " + words + POSITIONS);
    }
  }

  private Optional<StreamBound> offsets(String key) {
    return settings
        .settings(key)
        .map(
            nested -> {
              SortedMap<Integer, Long> offsets = new TreeMap<>();
              nested.keys().forEach(partition -> put(offsets, nested, partition));
              if (offsets.isEmpty()) {
                throw settings.mistake(key, key + ": must be " + POSITIONS);
              }
              return new StreamBound.Offsets(offsets);
            });
  }

  private static void put(SortedMap<Integer, Long> offsets, YamlSettings nested, String partition) {
    if (!PARTITION.matcher(partition).matches()) {
      throw nested.mistake(partition, "partition " + partition + ": must be a number");
    }
    String offset = nested.text(partition).orElseThrow();
    if (!OFFSET.matcher(offset).matches()) {
      throw nested.mistake(
          partition, "offset " + offset + " of partition " + partition + ": must be a number");
    }
    if (offsets.put(Integer.parseInt(partition), Long.parseLong(offset)) != null) {
      throw nested.mistake(partition, "partition " + partition + " is given twice");
    }
  }

  /** Refuses an end that is not later than the start, as far as the settings show. */
  private void checkOrder() {
    boolean isOver =
        until
            .map(
                end ->
                    (from instanceof StreamBound.Latest && end instanceof StreamBound.Latest)
                        || isBehind(from, end))
            .orElse(false);
    if (isOver) {
      throw settings.mistake("until", "until: must be later than 'from'");
    }
  }

  private static boolean isBehind(StreamBound from, StreamBound end) {
    if (from instanceof StreamBound.AtTime first && end instanceof StreamBound.AtTime last) {
      return first.epochMillis() >= last.epochMillis();
    }
    if (from instanceof StreamBound.AtTime || !(end instanceof StreamBound.Offsets last)) {
      return false;
    }
    Map<Integer, Long> first =
        from instanceof StreamBound.Offsets offsets ? offsets.offsets() : Map.of();
    return !(from instanceof StreamBound.Latest)
        && last.offsets().entrySet().stream()
            .allMatch(it -> first.getOrDefault(it.getKey(), 0L) >= it.getValue());
  }

  /** Returns the place, as typed. */
  String place() {
    return place;
  }

  /** Returns the topic's name. */
  public String topic() {
    return StreamTopic.nameIn(place);
  }

  /** Returns the form of the topic's records, by which they become samples. */
  public RecordForm form() {
    return form;
  }

  /** Returns where a run begins to read. */
  public StreamBound from() {
    return from;
  }

  /** Returns where a run ends; empty for a run without end. */
  public Optional<StreamBound> until() {
    return until;
  }

  /** Returns how long a record may wait until its round is full. */
  public Duration maxWait() {
    return maxWait;
  }

  /** Returns whether offsets that the topic no longer has are skipped. */
  public boolean skipsLost() {
    return skipsLost;
  }

  /** Returns the ranges of a sample's numbers that are standardized by running statistics. */
  public List<Range> standardized() {
    return standardizes ? numbers() : List.of();
  }

  /**
   * Returns the ranges of a sample's numbers that come from numeric fields, which can be
   * standardized.
   */
  public List<Range> numbers() {
    List<Range> numbers = new ArrayList<>();
    int start = 0;
    for (TableColumn column : form.schema().columns()) {
      int end = start + column.width();
      if (!column.isText()) {
        int last = numbers.size() - 1;
        boolean follows = last >= 0 && numbers.get(last).end() == start;
        numbers.add(new Range(follows ? numbers.remove(last).start() : start, end));
      }
      start = end;
    }
    return List.copyOf(numbers);
  }

  /** Returns the place of the lineage, {@code kafka:} and its name, if the lineage is a topic. */
  public Optional<String> lineage() {
    return lineage;
  }

  /** Returns the number of rounds in a window of figures. */
  public int window() {
    return window;
  }
}
