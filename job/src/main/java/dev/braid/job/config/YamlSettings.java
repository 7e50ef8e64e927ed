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
 * Strict settings in YAML. Each key occurs once, with a text, a list of texts, or nested settings.
 * Numbers and truth values are texts, as written. A key without a value has no settings; it is an
 * error where a text or a list is required. Aliases are refused.
 */
public final class YamlSettings {

  private static final long MAX_BYTES = 1 << 20;

  /** Largest number of names listed in a message. */
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
   * @param option that names the file, for messages
   * @throws UsageException if the file cannot be read, or is not such YAML
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
   * Parses a text.
   *
   * @param source file for the positions in messages, or an option
   * @throws UsageException if the text is not such YAML
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
    // Settings on the command line have no line numbers.
    String place = source.startsWith("--") ? source : source + ":" + line;
    return new UsageException(place + ": " + mistake);
  }

  /** Returns an error in the value of a key, with its line. */
  UsageException mistake(String key, String mistake) {
    return at(values.get(key).line(), mistake);
  }

  /**
   * Checks that all keys are known.
   *
   * @throws UsageException for the first unknown key
   */
  void require(Collection<String> known) {
    for (String key : values.keySet()) {
      if (!known.contains(key)) {
        String all = known.size() > FEW ? "" : "; known settings: " + String.join(", ", known);
        throw mistake(key, "unknown setting '" + key + "'" + all + Typo.question(key, known));
      }
    }
  }

  /** Returns whether the settings come from a file instead of the command line. */
  boolean hasLines() {
    return !source.startsWith("--");
  }

  Set<String> keys() {
    return values.keySet();
  }

  /** Returns the settings below a key; empty if the key has a value or is missing. */
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

  /** Returns whether a key has a list of values. */
  boolean isList(String key) {
    return values.containsKey(key) && values.get(key).isList();
  }

  /** Returns all values as they were written: texts, lists of texts, and nested settings. */
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
   * Returns all values of a key: those of a list, or the parts of a text between its commas.
   *
   * @throws UsageException if the key has settings, or no value
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
   * Returns the only value of a key; empty if the key is missing.
   *
   * @throws UsageException if the key has a list, settings, or no value
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
   * Returns the truth value of a key; empty if the key is missing.
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
   * Returns the whole number of a key; empty if the key is missing.
   *
   * @throws UsageException if it has another value, or the number is out of bounds
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
   * Returns the number of a key; empty if the key is missing.
   *
   * @throws UsageException if it has another value, or the number is not finite
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
   * Returns the share of a key, {@code 0 <= share < 1}; empty if the key is missing.
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
   * Returns the choice of a key; empty if the key is missing.
   *
   * @param choices accepted values, written in lower case
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

  /** Returns the name of a choice, as it is typed. */
  static String lowerCase(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns an error in the text of a key.
   *
   * @param needed the requirement, for the message
   */
  UsageException mistake(String key, String text, String needed) {
    return mistake(key, key + " " + text + ": " + needed);
  }

  /**
   * Refuses settings that do not apply.
   *
   * @throws UsageException for the first of them that is given
   */
  void requireNone(List<String> keys, String why) {
    for (String key : keys) {
      if (values.containsKey(key)) {
        throw mistake(key, key + ": " + why);
      }
    }
  }

  /** Returns an error in the settings as a whole. */
  UsageException mistake(String mistake) {
    return at(firstLine, mistake);
  }

  /**
   * Returns the only value of a required key.
   *
   * @param meaning the rest of the message for a missing key
   * @throws UsageException if the key is missing, or has a list, settings, or no value
   */
  String text(String key, String meaning) {
    return text(key).orElseThrow(() -> at(firstLine, key + ", " + meaning));
  }
}
