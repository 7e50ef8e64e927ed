package dev.braid.job.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import dev.braid.job.console.Places;
import dev.braid.job.console.TextFile;
import dev.braid.job.console.Typo;
import dev.braid.job.console.UsageException;
import dev.braid.job.result.EarlierResults;
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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/**
 * Settings in YAML, read strictly: each key once, with a text, a list of texts, or settings of its
 * own. A number or a truth value is a text, too: as it is written. Aliases are refused.
 */
public final class YamlSettings {

  private static final long MAX_BYTES = 1 << 20;

  /** So many names fit a message. */
  private static final int FEW = 20;

  private static final YAMLFactory YAML = new YAMLFactory();

  /** Value of a key: a text, a list of texts, or settings. */
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
      throw new UsageException(option + " '': a file is needed");
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
          named + ": no such file; that of an earlier run is " + Places.shown(earlier.get()));
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
        throw settings.at(line(in), "'key: value' is needed, a line each");
      }
      settings.read(in);
      if (in.nextToken() != null) {
        throw settings.at(line(in), "a second document: one is needed");
      }
      return settings;
    } catch (JsonProcessingException e) {
      throw e.getCause() instanceof MarkedYAMLException marked && marked.getProblemMark() != null
          ? settings.at(marked.getProblemMark().getLine() + 1, "no YAML: " + marked.getProblem())
          : settings.at(
              e.getLocation() == null ? 1 : e.getLocation().getLineNr(),
              "no settings: keys with texts, lists or settings of their own are needed");
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
            default -> new Value(line, false, List.of(text(in, key)), Optional.empty());
          };
      if (values.putIfAbsent(key, value) != null) {
        throw at(line, key + " is there twice, in line " + values.get(key).line() + ", too");
      }
    }
  }

  private String text(YAMLParser in, String key) throws IOException {
    if (in.getTypeId() != null) {
      throw at(line(in), key + ": a plain value is needed, without the tag !" + in.getTypeId());
    }
    if (in.isCurrentAlias()) {
      throw at(line(in), key + ": the value itself is needed, and no alias");
    }
    return switch (in.currentToken()) {
      case VALUE_STRING, VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT, VALUE_TRUE, VALUE_FALSE ->
          in.getText();
      case VALUE_NULL -> throw at(line(in), key + ": a value is needed");
      default -> throw at(line(in), key + ": a text or a number is needed");
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
        String all =
            known.size() > FEW ? "" : "; one of " + String.join(", ", known) + " is needed";
        throw mistake(key, "no setting is called '" + key + "'" + all + Typo.question(key, known));
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

  /** All as they were written: texts, and lists of them. */
  Map<String, Object> written() {
    Map<String, Object> written = new LinkedHashMap<>();
    values.forEach(
        (key, value) -> written.put(key, value.isList() ? value.texts() : value.texts().get(0)));
    return written;
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
      throw mistake(key, key + ": a value, or a list of values, is needed");
    }
    Value value = values.get(key);
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
    Value value = values.get(key);
    if (value == null) {
      return Optional.empty();
    }
    if (value.isList() || value.settings().isPresent()) {
      throw mistake(key, key + ": one value is needed");
    }
    return Optional.of(value.texts().get(0));
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
