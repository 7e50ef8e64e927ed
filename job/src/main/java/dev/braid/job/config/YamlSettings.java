package dev.braid.job.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import dev.braid.job.console.Places;
import dev.braid.job.console.TextFile;
import dev.braid.job.console.Typo;
import dev.braid.job.console.UsageException;
import dev.braid.run.result.EarlierResults;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/**
 * Settings in YAML, read strictly: each key once, with a text, a list of texts, or settings of its
 * own. A number or a truth value is a text, too: as it is written. A key without a value has no
 * settings, and is a mistake where a text or a list is needed. Aliases are refused.
 */
public final class YamlSettings {

  private static final long MAX_BYTES = 1 << 20;

  /** So many names fit a message. */
  private static final int FEW = 20;

  private static final YAMLFactory YAML = new YAMLFactory();

  private static final Pattern COUNT = Pattern.compile("\\d{1,9}");

  /** Value of a key: a text, a list of texts, settings, or none of them. */
  private record Value(
      int line, boolean isList, List<String> texts, Optional<YamlSettings> settings) {}

  private final String source;
  private final int firstLine;
  private final Map<String, Value> values = new LinkedHashMap<>();

  private YamlSettings(String source, int firstLine) {
    this.source = source;
    this.firstLine = firstLine;
  }

  /**
   * Reads a file.
   *
   * @param option what its name is typed behind
   * @throws UsageException if it cannot be read, or is no such YAML
   */
  static YamlSettings ofFile(String option, String file) {
    if (file.isBlank()) {
      throw new UsageException(option + " '': must be a file");
    }
    String named = option + " " + file;
    Path path;
    try {
      path = Path.of(file);
    } catch (InvalidPathException e) {
      throw new UsageException(named + ": not a path: " + e.getReason(), e);
    }
    Optional<Path> earlier = Files.exists(path) ? Optional.empty() : EarlierResults.latest(path);
    if (earlier.isPresent()) {
      throw new UsageException(
          named + ": no such file; the file of an earlier run is " + Places.shown(earlier.get()));
    }
    return ofText(file, String.join("\n", TextFile.lines(named, path, MAX_BYTES)));
  }

  /**
   * Reads a text.
   *
   * @param source what lines are counted in, for messages
   * @throws UsageException if it is no such YAML
   */
  static YamlSettings ofText(String source, String text) {
    YamlSettings settings = new YamlSettings(source, 1);
    try (YAMLParser in = YAML.createParser(text)) {
      JsonToken first = in.nextToken();
      if (first == null) {
        return settings;
      }
      if (first != JsonToken.START_OBJECT) {
        throw settings.at(line(in), "must have lines 'key: value'");
      }
      settings.read(in);
      if (in.nextToken() != null) {
        throw settings.at(line(in), "has a second document; only one is possible");
      }
      return settings;
    } catch (JsonProcessingException e) {
      throw e.getCause() instanceof MarkedYAMLException marked && marked.getProblemMark() != null
          ? settings.at(marked.getProblemMark().getLine() + 1, "not YAML: " + marked.getProblem())
          : settings.at(
              e.getLocation() == null ? 1 : e.getLocation().getLineNr(),
              "not settings: needs keys whose values are texts, lists or settings");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read(YAMLParser in) throws IOException {
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      int line = line(in);
      String key = in.currentName();
      JsonToken token = in.nextToken();
      Value value =
          switch (token) {
            case START_OBJECT -> {
              YamlSettings nested = new YamlSettings(source, line);
              nested.read(in);
              yield new Value(line, false, List.of(), Optional.of(nested));
            }
            case START_ARRAY -> {
              List<String> texts = new ArrayList<>();
              while (in.nextToken() != JsonToken.END_ARRAY) {
                texts.add(text(in, key));
              }
              yield new Value(line, true, List.copyOf(texts), Optional.empty());
            }
            default -> new Value(line, false, textIfAny(in, key), Optional.empty());
          };
      if (values.putIfAbsent(key, value) != null) {
        throw at(line, key + " is given twice, also in line " + values.get(key).line());
      }
    }
  }

  private List<String> textIfAny(YAMLParser in, String key) throws IOException {
    boolean isPlain = in.getTypeId() == null && !in.isCurrentAlias();
    boolean isNone = isPlain && in.currentToken() == JsonToken.VALUE_NULL;
    return isNone ? List.of() : List.of(text(in, key));
  }

  private String text(YAMLParser in, String key) throws IOException {
    if (in.getTypeId() != null) {
      throw at(line(in), key + ": must be a plain value, without the tag !" + in.getTypeId());
    }
    if (in.isCurrentAlias()) {
      throw at(line(in), key + ": must be the value itself, not an alias");
    }
    return switch (in.currentToken()) {
      case VALUE_STRING, VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT, VALUE_TRUE, VALUE_FALSE ->
          in.getText();
      case VALUE_NULL -> throw at(line(in), key + ": needs a value");
      default -> throw at(line(in), key + ": must be a text or a number");
    };
  }

  private static int line(YAMLParser in) {
    return in.currentTokenLocation().getLineNr();
  }

  private UsageException at(int line, String mistake) {
    // What is typed has no lines.
    String place = source.startsWith("--") ? source : source + ":" + line;
    return new UsageException(place + ": " + mistake);
  }

  /** A mistake in what a key has. */
  UsageException mistake(String key, String mistake) {
    return at(values.get(key).line(), mistake);
  }

  /**
   * Checks that all keys are known.
   *
   * @throws UsageException for the first that is not
   */
  void require(Collection<String> known) {
    for (String key : values.keySet()) {
      if (!known.contains(key)) {
        String all = known.size() > FEW ? "" : "; known settings: " + String.join(", ", known);
        throw mistake(key, "unknown setting '" + key + "'" + all + Typo.question(key, known));
      }
    }
  }

  /** Whether they are from a file, and not typed. */
  boolean hasLines() {
    return !source.startsWith("--");
  }

  Set<String> keys() {
    return values.keySet();
  }

  /** The settings below a key; none where it has a value, or is not there. */
  Optional<YamlSettings> settings(String key) {
    return Optional.ofNullable(values.get(key)).flatMap(Value::settings);
  }

  /**
   * Returns the settings below a key that may have none, or no value at all.
   *
   * @throws UsageException if it has a text or a list
   */
  YamlSettings settingsIfAny(String key) {
    Value value = values.get(key);
    if (value.isList() || !value.texts().isEmpty()) {
      throw mistake(key, key + ": must be settings, or empty");
    }
    return value.settings().orElseGet(() -> new YamlSettings(source, value.line()));
  }

  /** Whether a key has a list of values. */
  boolean isList(String key) {
    return values.containsKey(key) && values.get(key).isList();
  }

  /** All as they were written: texts, lists of them, and settings. */
  Map<String, Object> written() {
    Map<String, Object> written = new LinkedHashMap<>();
    values.forEach((key, value) -> written.put(key, written(value)));
    return written;
  }

  private static Object written(Value value) {
    if (value.isList()) {
      return value.texts();
    }
    return value.texts().isEmpty()
        ? value.settings().map(YamlSettings::written).orElse(Map.of())
        : value.texts().get(0);
  }

  /**
   * All values of a key: those of a list, or those between the commas of a text.
   *
   * @throws UsageException if it has settings
   */
  List<String> list(String key) {
    if (!values.containsKey(key)) {
      return List.of();
    }
    if (settings(key).isPresent()) {
      throw mistake(key, key + ": must be a value or a list of values");
    }
    Value value = present(key);
    return value.isList()
        ? value.texts()
        : Arrays.stream(value.texts().get(0).split(",", -1)).map(String::strip).toList();
  }

  /**
   * The only value of a key, if it is there.
   *
   * @throws UsageException if it has a list of them, or settings
   */
  Optional<String> text(String key) {
    if (!values.containsKey(key)) {
      return Optional.empty();
    }
    Value value = present(key);
    if (value.isList() || value.settings().isPresent()) {
      throw mistake(key, key + ": must be one value");
    }
    return Optional.of(value.texts().get(0));
  }

  private Value present(String key) {
    Value value = values.get(key);
    if (!value.isList() && value.settings().isEmpty() && value.texts().isEmpty()) {
      throw mistake(key, key + ": needs a value");
    }
    return value;
  }

  /**
   * Returns the truth value of a key, if it is there.
   *
   * @throws UsageException if it has another value
   */
  Optional<Boolean> flag(String key) {
    return text(key)
        .map(
            text ->
                switch (text.toLowerCase(Locale.ROOT)) {
                  case "true" -> true;
                  case "false" -> false;
                  default -> throw mistake(key, text, "must be true or false");
                });
  }

  /**
   * Returns the whole number of a key, if it is there.
   *
   * @throws UsageException if it has another value, or the number is not within the bounds
   */
  Optional<Integer> number(String key, int least, int most) {
    return text(key)
        .map(
            text -> {
              int value = COUNT.matcher(text).matches() ? Integer.parseInt(text) : -1;
              if (value < least || value > most) {
                throw mistake(
                    key, text, "must be a whole number from %d to %d".formatted(least, most));
              }
              return value;
            });
  }

  /**
   * Returns the number of a key, if it is there.
   *
   * @throws UsageException if it has another value, or the number is infinite
   */
  Optional<Double> decimal(String key) {
    return text(key)
        .map(
            text -> {
              try {
                double value = Double.parseDouble(text);
                if (Double.isFinite(value)) {
                  return value;
                }
              } catch (NumberFormatException e) {
                throw mistake(key, text, "must be a number");
              }
              throw mistake(key, text, "must be a finite number");
            });
  }

  /**
   * Returns the share of something that a key has, {@code 0 <= share < 1}, if it is there.
   *
   * @throws UsageException if it has another value
   */
  Optional<Double> share(String key) {
    Optional<Double> share = decimal(key);
    if (share.filter(it -> it >= 0 && it < 1).isEmpty() && share.isPresent()) {
      throw mistake(key, text(key).orElseThrow(), "must be 0 or more, and less than 1");
    }
    return share;
  }

  /**
   * Returns the choice that a key has, if it is there.
   *
   * @param choices what is typed in lower case
   * @throws UsageException if it has another value
   */
  <E extends Enum<E>> Optional<E> choice(String key, List<E> choices) {
    return text(key)
        .map(
            text ->
                choices.stream()
                    .filter(choice -> lowerCase(choice).equals(text))
                    .findFirst()
                    .orElseThrow(() -> unknown(key, text, choices)));
  }

  private <E extends Enum<E>> UsageException unknown(String key, String text, List<E> choices) {
    String known = choices.stream().map(YamlSettings::lowerCase).collect(Collectors.joining(", "));
    return mistake(key, UsageException.unknownName(key, text, known).getMessage());
  }

  /** The name of a choice, as it is typed. */
  static String lowerCase(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT);
  }

  /** A mistake in the text that a key has, and what is needed. */
  UsageException mistake(String key, String text, String needed) {
    return mistake(key, key + " " + text + ": " + needed);
  }

  /**
   * Refuses settings that mean nothing here.
   *
   * @throws UsageException for the first of them that is there
   */
  void requireNone(List<String> keys, String why) {
    for (String key : keys) {
      if (values.containsKey(key)) {
        throw mistake(key, key + ": " + why);
      }
    }
  }

  /** A mistake of the settings as a whole. */
  UsageException mistake(String mistake) {
    return at(firstLine, mistake);
  }

  /**
   * The only value of a key.
   *
   * @param meaning what is missing where the key is
   * @throws UsageException if it has a list of them, or is not there
   */
  String text(String key, String meaning) {
    return text(key).orElseThrow(() -> at(firstLine, key + ", " + meaning));
  }
}
