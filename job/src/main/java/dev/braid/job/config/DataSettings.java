package dev.braid.job.config;

import dev.braid.connectors.DataLocation;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.image.ImageOptions;
import dev.braid.connectors.record.RecordForm;
import dev.braid.connectors.text.Missing;
import dev.braid.connectors.text.TableOptions;
import dev.braid.connectors.topic.StreamTopic;
import dev.braid.job.console.OptionNames;
import dev.braid.job.console.UsageException;
import dev.braid.run.result.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Place and format of samples: either only a place, or a data file with the place and other
 * settings. A data file of a topic also has {@link TopicSettings}.
 */
public final class DataSettings {

  /** Name of these settings in a run file. */
  public static final String KEY = "data";

  /** Setting for the samples' place. */
  public static final String PLACE = "place";

  /** Largest number of features. A worker must hold at least one weight for each. */
  private static final int MOST_FEATURES = 1 << 24;

  private static final int MOST_CLASSES = 1 << 20;

  private static final Pattern SIDES = Pattern.compile("(\\d{1,5})x(\\d{1,5})");

  private static final List<String> OF_TABLES =
      List.of("label", "standardize", "header", "ignore", "categories", "dates", "missing");

  private static final List<String> OF_IMAGES = List.of("image-size", "normalize", "flip", "crop");

  /** Settings of files that topics do not have. */
  private static final List<String> OF_FILES =
      Stream.of(OF_TABLES, OF_IMAGES, List.of("validation"))
          .flatMap(List::stream)
          .filter(key -> !TopicSettings.KEYS.contains(key))
          .toList();

  private static final List<String> OF_ALL =
      List.of(PLACE, "regression", "classes", "features", "validation");

  private static final List<String> KEYS =
      Stream.of(OF_ALL, OF_TABLES, OF_IMAGES).flatMap(List::stream).toList();

  /**
   * Options on the command line, which override a data file.
   *
   * @param regression whether labels are values
   * @param label names of the label's columns
   * @param standardize whether numbers are standardized
   */
  public record Overrides(
      Optional<Boolean> regression, Optional<String> label, Optional<Boolean> standardize) {

    static final Overrides NONE =
        new Overrides(Optional.empty(), Optional.empty(), Optional.empty());
  }

  private final YamlSettings settings;
  private final String place;
  private final Optional<TopicSettings> topic;

  private DataSettings(YamlSettings settings, String place, Optional<TopicSettings> topic) {
    this.settings = settings;
    this.place = place;
    this.topic = topic;
  }

  /**
   * Parses the value of {@code --data}.
   *
   * @param typed a place, a settings file {@code NAME.yaml}, or settings in braces
   * @throws UsageException if a setting is unknown or impossible
   */
  public static DataSettings typed(String typed) {
    return typed("--" + KEY, typed);
  }

  /**
   * Parses the value of an option.
   *
   * @param option name of the option, for messages
   * @param typed a place, a settings file {@code NAME.yaml}, or settings in braces
   * @throws UsageException if a setting is unknown or impossible
   */
  public static DataSettings typed(String option, String typed) {
    if (typed.isBlank()) {
      throw new UsageException(option + " '': must be a data set");
    }
    if (typed.startsWith("{")) {
      return of(YamlSettings.ofText(option, typed));
    }
    if (StreamTopic.isPlace(typed)) {
      throw new UsageException(
          option
              + " "
              + typed
              + ": needs a data file that names the topic as 'place' and describes its records "
              + "(see docs/reference/topics.md)");
    }
    return typed.matches("(?i).*\\.ya?ml")
        ? of(YamlSettings.ofFile(option, typed))
        : new DataSettings(YamlSettings.ofText("", ""), typed, Optional.empty());
  }

  /**
   * Creates data settings from YAML.
   *
   * @throws UsageException if a setting is unknown or impossible
   */
  static DataSettings of(YamlSettings settings) {
    if (settings.text(PLACE).filter(StreamTopic::isPlace).isPresent()) {
      settings.requireNone(OF_FILES, "only for files: a topic's data file has other settings");
      TopicSettings topic = TopicSettings.of(settings);
      return new DataSettings(settings, topic.place(), Optional.of(topic));
    }
    settings.requireNone(TopicSettings.OWN, "only for a topic: place: kafka:TOPIC");
    settings.require(KEYS);
    String place = settings.text(PLACE, "the place of the samples, is needed");
    DataSettings data = new DataSettings(settings, place, Optional.empty());
    data.check();
    return data;
  }

  /** Reads all settings, so that errors are found while their line numbers are known. */
  private void check() {
    OptionalDouble unused = validation();
    DataLocation unusedLocation = location(Overrides.NONE);
  }

  /** Returns the settings of the topic; empty if the samples do not come from a topic. */
  public Optional<TopicSettings> topic() {
    return topic;
  }

  /** Returns the samples' place, as typed. */
  public String place() {
    return place;
  }

  /** Returns whether these settings include {@code standardize}. */
  public boolean saysHowToScale() {
    return settings.keys().contains("standardize");
  }

  /** Returns the share of the training samples to hold out; empty if it is not given here. */
  public OptionalDouble validation() {
    return settings.share("validation").map(OptionalDouble::of).orElse(OptionalDouble.empty());
  }

  /**
   * Returns the samples' place and format.
   *
   * @throws UsageException if a setting is impossible, or does not apply to this kind of data
   */
  public DataLocation location(Overrides typed) {
    if (topic.isPresent()) {
      return location(topic.get().form());
    }
    DataLocation location = located();
    if (!location.isTable()) {
      settings.requireNone(OF_TABLES, "only for a table, FILE.csv or FILE.tsv");
    }
    if (!location.isImages()) {
      settings.requireNone(OF_IMAGES, "only for images: mnist or a folder");
    } else {
      settings.requireNone(List.of("regression"), "only for a table or a LibSVM file");
    }
    location = location.withTable(table(typed)).withImages(images());
    boolean regression =
        typed.regression().orElseGet(() -> settings.flag("regression").orElse(false));
    Optional<Integer> features = settings.number("features", 1, MOST_FEATURES);
    if (regression) {
      settings.requireNone(
          List.of("classes"),
          "not possible with 'regression: true': labels are numbers, not classes");
      location = location.withValues();
    } else if (settings.keys().contains("classes")) {
      location = withClasses(location);
    }
    return features.isPresent() ? location.withFeatures(features.get()) : location;
  }

  private DataLocation location(RecordForm form) {
    return new DataLocation(
        place,
        form.shape().kind(),
        form.classNames().size(),
        form.shape().features(),
        form.classNames(),
        form.schema(),
        ImageOptions.NONE);
  }

  private DataLocation located() {
    try {
      return DataLocation.of(place);
    } catch (InvalidDataException e) {
      throw new UsageException("--data " + e.getMessage(), e);
    }
  }

  private TableOptions table(Overrides typed) {
    TableOptions.Header header =
        settings
            .choice("header", List.of(TableOptions.Header.values()))
            .orElse(TableOptions.Header.AUTO);
    Missing missing = settings.choice("missing", List.of(Missing.values())).orElse(Missing.FAIL);
    return new TableOptions(
        typed.label().orElseGet(() -> String.join(",", settings.list("label"))),
        settings.list("ignore"),
        settings.list("categories"),
        typed.standardize().orElseGet(() -> settings.flag("standardize").orElse(false)),
        header,
        missing,
        settings.list("dates"));
  }

  private ImageOptions images() {
    ImageOptions images =
        new ImageOptions(
            settings.flag("normalize").orElse(false),
            List.of(),
            settings.flag("flip").orElse(false),
            settings.number("crop", 0, ImageOptions.MAX_SIDE).orElse(0),
            0,
            0);
    return settings.text("image-size").map(size -> resized(images, size)).orElse(images);
  }

  private ImageOptions resized(ImageOptions images, String size) {
    Matcher sides = SIDES.matcher(size);
    if (!sides.matches()) {
      throw settings.mistake("image-size", size, "must be HEIGHTxWIDTH, such as 32x32");
    }
    int height = Integer.parseInt(sides.group(1));
    int width = Integer.parseInt(sides.group(2));
    if (Math.min(height, width) < 1 || Math.max(height, width) > ImageOptions.MAX_SIDE) {
      throw settings.mistake(
          "image-size", size, "sides must be from 1 to " + ImageOptions.MAX_SIDE);
    }
    return images.resizedTo(height, width);
  }

  private DataLocation withClasses(DataLocation location) {
    List<String> names = settings.list("classes");
    try {
      if (names.size() > 1) {
        return location.withClassNames(names);
      }
      return location.withClasses(settings.number("classes", 2, MOST_CLASSES).orElseThrow());
    } catch (InvalidDataException e) {
      throw settings.mistake("classes", e.getMessage());
    }
  }

  /** Returns these settings in the form in which they can be written to a file. */
  public Map<String, Object> written() {
    return settings.written();
  }

  /** Returns these settings in braces, as they may be typed; without settings, the place. */
  public String inline() {
    if (settings.keys().isEmpty()) {
      return place;
    }
    return Json.write(settings.written());
  }

  /** Adds a location to JSON, by the names of the settings and without defaults. */
  public static void put(Map<String, Object> json, DataLocation data) {
    json.put(KEY, data.place());
    if (!data.classNames().isEmpty()) {
      json.put("classes", String.join(",", data.classNames()));
    } else if (data.classes() > 0) {
      json.put("classes", data.classes());
    }
    if (data.hasValues()) {
      json.put("regression", true);
    }
    if (data.features() > 0) {
      json.put("features", data.features());
    }
    if (data.table() instanceof TableOptions table) {
      put(json, "label", List.of(table.label()));
      put(json, "ignore", table.ignored());
      put(json, "categories", table.text());
      if (table.standardized()) {
        json.put("standardize", true);
      }
      if (table.header() != TableOptions.Header.AUTO) {
        json.put("header", YamlSettings.lowerCase(table.header()));
      }
      if (table.missing() != Missing.FAIL) {
        json.put("missing", table.missing().typed());
      }
      put(json, "dates", table.time());
    }
    put(json, data.images());
  }

  private static void put(Map<String, Object> json, ImageOptions images) {
    if (images.isResized()) {
      json.put("image-size", images.height() + "x" + images.width());
    }
    if (images.normalized()) {
      json.put("normalize", true);
    }
    if (images.flip()) {
      json.put("flip", true);
    }
    if (images.crop() > 0) {
      json.put("crop", images.crop());
    }
  }

  /**
   * Adds a list. It stays a list if a name contains a comma, because joined text would split it.
   */
  private static void put(Map<String, Object> json, String key, List<String> values) {
    boolean hasComma = values.size() > 1 && values.stream().anyMatch(value -> value.contains(","));
    String joined = String.join(",", values);
    if (!joined.isEmpty()) {
      json.put(key, hasComma ? values : joined);
    }
  }

  /**
   * Returns a message about data. It gets a reference to the documentation if it names a setting.
   */
  public static String explained(String message) {
    boolean namesOne =
        KEYS.stream()
            .anyMatch(key -> message.contains("'" + key) || message.contains(": " + key + " "));
    return namesOne ? message + " (see docs/reference/data.md)" : message;
  }

  /**
   * Returns a message about data with the names of options, preceded by the file and line of its
   * setting, if these settings come from a file.
   */
  public String located(String told) {
    String message = OptionNames.in(told);
    if (!settings.hasLines()) {
      return message;
    }
    Optional<String> named =
        settings.keys().stream()
            .filter(
                key ->
                    message.contains(": " + key + " ")
                        || message.contains("'" + key + ": ")
                        || message.contains("--" + key + " "))
            .findFirst();
    return named
        .or(() -> Optional.of(PLACE).filter(key -> message.startsWith("--data " + place)))
        .filter(settings.keys()::contains)
        .map(key -> settings.mistake(key, message).getMessage())
        .orElse(message);
  }

  /**
   * Returns whether a name is a data setting; otherwise it may be an option of {@code braid train}.
   */
  public static boolean has(String key) {
    return KEYS.contains(key);
  }
}
